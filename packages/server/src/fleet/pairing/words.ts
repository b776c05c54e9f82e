/** 256 words that are short, common and hard to take for one another when read aloud: each stands for a byte. */
const WORDS: readonly string[] = [
	"acorn alder amber anchor apple apron arrow aspen atlas attic autumn badge bagel bakery bamboo banjo",
	"barley barn basil basket beacon beaver bell bench berry birch biscuit blanket blossom boat bonnet bottle",
	"branch brass bread brick bridge brook broom brush bucket button cabin cable cactus camel candle canoe",
	"canyon carpet carrot castle cedar cellar chalk cherry chimney cider circle citrus clay cliff clock clover",
	"coast cobalt cocoa comet compass copper coral cotton cousin cradle crane crayon cricket crystal curtain daisy",
	"dancer delta desert diamond dolphin donkey dragon drum eagle easel echo elbow ember engine falcon feather",
	"fennel fern ferry fiddle finch flame flint flute forest fossil fountain fox galaxy garden garlic geyser",
	"ginger glacier globe glove goose grape gravel guitar hammer harbor harvest hazel helmet heron hinge honey",
	"horizon hotel igloo indigo island ivory jacket jasmine jelly jungle juniper kayak kernel kettle kitchen kite",
	"koala ladder lagoon lantern laurel lemon lentil library lilac linen lion lizard lobster locket lotus magnet",
	"mango maple marble meadow melon mirror mitten moose mosaic mountain muffin nectar needle nickel nutmeg oak",
	"oasis oboe ocean olive onion orbit orchid otter oyster paddle palace panda paper parrot peach pebble",
	"pelican pepper piano pickle pigeon pillow pine planet plum pocket pony poplar prairie prism pumpkin puzzle",
	"quartz quilt rabbit radish raven ribbon river robin rocket saddle saffron sailor salmon sandal scarf shadow",
	"shell silver sparrow spiral spruce squirrel stone summit sunset swan teapot temple thistle thunder tiger timber",
	"trumpet tulip tunnel turtle valley velvet violet wagon walnut whistle willow winter wizard yarrow yogurt zebra",
].flatMap((line) => line.split(" "));

/** Bytes as words that two people compare. */
export const wordsOf = (bytes: Uint8Array): string[] => [...bytes].map((byte) => WORDS[byte] ?? "");
