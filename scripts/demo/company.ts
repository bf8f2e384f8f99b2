import type { Random } from "./random.ts";

/**
 * A member of the demo company; `parent` is the index of the referrer, and `day` the day of the sign-up (0 to 29;
 * negative: before the month).
 */
export interface DemoMember {
  nickname: string;
  parent: number | null;
  day: number;
}

const memberCount = 2000;
/** The members with a password, who sign up through share links. `parent` is an index in the list of members. */
export const accountMembers = [
  { nickname: "Lin Wei", email: "lin@example.com", parent: 0 },
  { nickname: "Chen Jing", email: "chen@example.com", parent: 5 },
  { nickname: "Wang Fang", email: "wang@example.com", parent: 6 },
  { nickname: "Zhao Ming", email: "zhao@example.com", parent: 5 },
] as const;

/** The address book of each member with a password, the default address first. */
export const addressesOf = ({ nickname }: { nickname: string }) => [
  {
    name: nickname,
    phone: "+86 138 0000 0101",
    region: ["广东省", "深圳市", "南山区"],
    street: "科技园南路 18 号 3 栋 1202",
  },
  {
    name: `${nickname} 公司 Office`,
    phone: "+86 755 0000 0188",
    region: ["广东省", "深圳市", "福田区"],
    street: "福华一路 6 号 15 层",
  },
];

const districts = [
  ["广东省", "广州市", "天河区", "体育西路"],
  ["浙江省", "杭州市", "西湖区", "文三路"],
  ["江苏省", "苏州市", "姑苏区", "人民路"],
  ["四川省", "成都市", "武侯区", "人民南路"],
  ["山东省", "青岛市", "市南区", "香港中路"],
  ["湖北省", "武汉市", "洪山区", "珞喻路"],
] as const;

/** The address of a member without a password. */
export function addressOf(nickname: string, index: number) {
  const [province, city, district, street] = districts[index % districts.length]!;
  return {
    name: nickname,
    phone: `+86 139 ${String(1000 + (index % 9000))} ${String(index).padStart(4, "0")}`,
    region: [province, city, district],
    street: `${street} ${1 + (index % 200)} 号 ${1 + (index % 30)}0${1 + (index % 6)} 室`,
  };
}

const families = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗".split("");
const givenNames = "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰飞红梅建国春生海燕晓东雪松".split("");

const nickname = (random: Random) =>
  random.pick(families) + random.pick(givenNames) + (random.chance(0.6) ? random.pick(givenNames) : "");

/** Shares of the five founders' branches: a few large ones. */
const branchShares = [0.46, 0.24, 0.16, 0.09, 0.05];
/** Long chains: from the first index up to, not including, the second, each member refers the next. */
const chains = [
  [300, 360],
  [900, 945],
  [1400, 1430],
] as const;

function pickBranch(random: Random): number {
  let left = random.next();
  return Math.max(
    0,
    branchShares.findIndex((share) => (left -= share) < 0),
  );
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
