import type { Random } from "./random.ts";

/** A member of the demo company; `parent` is the index of the referrer, and `day` the day of the sign-up (0 to 29; negative: before the month). */
export interface DemoMember {
  nickname: string;
  parent: number | null;
  day: number;
}

export interface DemoProduct {
  title: string;
  price: string;
  freight: string;
  is_queue_goods: boolean;
}

const memberCount = 2000;
/** The members with a password, who sign up through share links. `parent` is an index in the list of members. */
export const accountMembers = [
  { nickname: "Lin Wei", email: "lin@example.com", parent: 0 },
  { nickname: "Chen Jing", email: "chen@example.com", parent: 5 },
  { nickname: "Wang Fang", email: "wang@example.com", parent: 6 },
  { nickname: "Zhao Ming", email: "zhao@example.com", parent: 5 },
] as const;

const families = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗".split("");
const givenNames = "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰飞红梅建国春生海燕晓东雪松".split("");

const nickname = (random: Random) => random.pick(families) + random.pick(givenNames) + (random.chance(0.6) ? random.pick(givenNames) : "");

/** Shares of the five founders' branches: a few large ones. */
const branchShares = [0.46, 0.24, 0.16, 0.09, 0.05];
/** Long chains: from the first index up to, not including, the second, each member refers the next. */
const chains = [[300, 360], [900, 945], [1400, 1430]] as const;

function pickBranch(random: Random): number {
  let left = random.next();
  return Math.max(0, branchShares.findIndex((share) => (left -= share) < 0));
}

/** The company, oldest members first: five founders, the members with accounts, and a skewed tree of all others. */
export function makeMembers(random: Random): DemoMember[] {
  const members: DemoMember[] = [];
  const branches: number[][] = branchShares.map(() => []);
  const branchOf: number[] = [];
  for (let index = 0; index < memberCount; index++) {
    const account = accountMembers[index - branchShares.length];
    let parent: number | null = null;
    let branch = index;
    if (account) {
      parent = account.parent;
      branch = branchOf[parent] as number;
    } else if (index >= branchShares.length) {
      const inChain = chains.some(([first, end]) => index > first && index < end);
      const friendOfAccount = !inChain && random.chance(0.03);
      branch = pickBranch(random);
      const own = branches[branch] as number[];
      // Squaring favours early members, who have referred more people.
      if (inChain) parent = index - 1;
      else if (friendOfAccount) parent = branchShares.length + random.below(accountMembers.length);
      else parent = own[Math.floor(random.next() ** 2 * own.length)] as number;
      branch = branchOf[parent] as number;
    }
    branchOf.push(branch);
    (branches[branch] as number[]).push(index);
    const day = index < memberCount / 2 ? -1 : Math.floor(((index - memberCount / 2) / (memberCount / 2)) * 30);
    members.push({ nickname: account?.nickname ?? nickname(random), parent, day });
  }
  return members;
}

const ordinaryGoods = [
  "龙井茶 Longjing tea", "普洱茶 Pu'er tea", "枸杞 Goji berries", "蜂蜜 Honey", "燕窝 Bird's nest", "阿胶糕 Ejiao cake", "红枣 Red dates",
  "核桃油 Walnut oil", "山茶油 Camellia oil", "黑芝麻丸 Sesame balls", "洗发水 Shampoo", "沐浴露 Shower gel", "面膜 Face masks", "护手霜 Hand cream",
  "精华液 Serum", "牙膏 Toothpaste", "蚕丝被 Silk quilt", "乳胶枕 Latex pillow", "毛巾 Towels", "保温杯 Vacuum flask", "养生壶 Health kettle",
  "足浴盆 Foot bath", "按摩仪 Massager", "空气净化器 Air purifier", "净水滤芯 Water filter", "酵素 Enzyme drink", "益生菌 Probiotics",
  "蛋白粉 Protein powder", "维生素C Vitamin C", "鱼油 Fish oil", "大米 Rice", "杂粮 Mixed grains", "香菇 Shiitake", "木耳 Wood ear",
  "月饼 Mooncakes", "腊肉 Cured pork", "辣酱 Chilli sauce",
];
const flagships = ["旗舰礼包 Flagship package", "康养礼包 Wellness package", "美颜礼包 Beauty package"];

/** 40 products, of which three are queue goods at 3600.00. */
export function makeProducts(random: Random): DemoProduct[] {
  return [
    ...flagships.map((title) => ({ title, price: "3600.00", freight: "0.00", is_queue_goods: true })),
    ...ordinaryGoods.map((title) => ({
      title,
      price: `${19 + random.below(480)}.${random.pick(["00", "50", "90"])}`,
      freight: random.chance(0.3) ? "8.00" : "0.00",
      is_queue_goods: false,
    })),
  ];
}
