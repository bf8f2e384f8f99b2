import { picturesOf } from "./pictures.ts";
import type { Random } from "./random.ts";
import type { Thing } from "./things.ts";

export interface DemoProduct {
  title: string;
  price: string;
  freight: string;
  is_queue_goods: boolean;
  description: string;
  /** The title of its category. */
  category: string;
  /** Addresses of pictures, relative to the gateway. */
  images: string[];
}

const food =
  "产地直采，当季新货，密封包装，阴凉处保存。\nSourced at its origin, this season's harvest, sealed. Keep it cool and dry.";
const tonic = "每日一份，温水送服，适合全家长期食用。\nOne serving a day with warm water, for the whole family.";
const care = "温和配方，无香精，敏感肌可用。\nA mild formula without perfume, also for sensitive skin.";
const home = "亲肤面料，可机洗，三十天无理由退换。\nSoft on the skin, machine washable, returns within thirty days.";
const device = "一键操作，低噪运行，整机保修一年。\nOne button, quiet, guaranteed for a year.";

const packages = "礼包 Packages";

/** The categories in their sequence: that of queue goods, and those of the ordinary goods by their description. */
const categoryOf = new Map([
  [food, "食品 Food"],
  [tonic, "滋补 Tonics"],
  [care, "个护 Care"],
  [home, "家居 Home"],
  [device, "电器 Appliances"],
]);
export const categories = [packages, ...categoryOf.values()];

/** The ordinary goods: title, what it is drawn as, hue of its colours, description. */
const ordinaryGoods: [title: string, thing: Thing, hue: number, description: string][] = [
  ["龙井茶 Longjing tea", "tin", 105, food],
  ["普洱茶 Pu'er tea", "tin", 22, food],
  ["枸杞 Goji berries", "bowl", 6, food],
  ["蜂蜜 Honey", "jar", 38, food],
  ["燕窝 Bird's nest", "jar", 30, tonic],
  ["阿胶糕 Ejiao cake", "cake", 14, tonic],
  ["红枣 Red dates", "bowl", 352, food],
  ["核桃油 Walnut oil", "bottle", 45, food],
  ["山茶油 Camellia oil", "bottle", 60, food],
  ["黑芝麻丸 Sesame balls", "bowl", 260, tonic],
  ["洗发水 Shampoo", "bottle", 190, care],
  ["沐浴露 Shower gel", "bottle", 160, care],
  ["面膜 Face masks", "mask", 325, care],
  ["护手霜 Hand cream", "tube", 340, care],
  ["精华液 Serum", "bottle", 285, care],
  ["牙膏 Toothpaste", "tube", 200, care],
  ["蚕丝被 Silk quilt", "towel", 218, home],
  ["乳胶枕 Latex pillow", "pillow", 205, home],
  ["毛巾 Towels", "towel", 172, home],
  ["保温杯 Vacuum flask", "flask", 212, home],
  ["养生壶 Health kettle", "device", 24, device],
  ["足浴盆 Foot bath", "device", 180, device],
  ["按摩仪 Massager", "device", 255, device],
  ["空气净化器 Air purifier", "device", 196, device],
  ["净水滤芯 Water filter", "flask", 190, device],
  ["酵素 Enzyme drink", "bottle", 310, tonic],
  ["益生菌 Probiotics", "jar", 145, tonic],
  ["蛋白粉 Protein powder", "jar", 225, tonic],
  ["维生素C Vitamin C", "jar", 28, tonic],
  ["鱼油 Fish oil", "jar", 48, tonic],
  ["大米 Rice", "bag", 90, food],
  ["杂粮 Mixed grains", "bag", 35, food],
  ["香菇 Shiitake", "bag", 20, food],
  ["木耳 Wood ear", "bag", 275, food],
  ["月饼 Mooncakes", "cake", 34, food],
  ["腊肉 Cured pork", "bag", 2, food],
  ["辣酱 Chilli sauce", "jar", 8, food],
];

const flagships: [title: string, hue: number, description: string][] = [
  [
    "旗舰礼包 Flagship package",
    350,
    "一次购齐全家一年的养护所需，内含十二款精选好物，礼盒装，顺丰包邮。\nTwelve selected products for a year of the family's care, in a gift box, delivered free of charge.",
  ],
  [
    "康养礼包 Wellness package",
    155,
    "燕窝、阿胶、益生菌与养生壶，滋养一整季。\nBird's nest, ejiao, probiotics and a health kettle: a season of wellness.",
  ],
  [
    "美颜礼包 Beauty package",
    318,
    "精华、面膜、护手霜与沐浴露，由内而外的光彩。\nSerum, masks, hand cream and shower gel, for a glow from within.",
  ],
];

/** 40 products, of which three are queue goods at 3600.00. */
export function makeProducts(random: Random): DemoProduct[] {
  return [
    ...flagships.map(([title, hue, description]) => ({
      title,
      price: "3600.00",
      freight: "0.00",
      is_queue_goods: true,
      description,
      category: packages,
      images: picturesOf("gift", hue, 3),
    })),
    ...ordinaryGoods.map(([title, thing, hue, description]) => ({
      title,
      price: `${19 + random.below(480)}.${random.pick(["00", "50", "90"])}`,
      freight: random.chance(0.3) ? "8.00" : "0.00",
      is_queue_goods: false,
      description,
      category: categoryOf.get(description)!,
      images: picturesOf(thing, hue, 2),
    })),
  ];
}

/** What the first page shows: a banner with the product to which it leads, and featured products, by index. */
export const banner = { title: "新茶上市 New tea has arrived", thing: "tin", hue: 105, index: 3 } as const;
export const featured = [6, 15];

/**
 * The stock of the products that have a limited one after the month, by index: one is sold out, and few are left of
 * another.
 */
export const stocks = [
  { index: 6, stock: 120 },
  { index: 15, stock: 2 },
  { index: 22, stock: 0 },
  { index: 28, stock: 35 },
  { index: 39, stock: 8 },
];
