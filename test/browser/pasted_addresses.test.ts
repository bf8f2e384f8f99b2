import { beforeAll, describe, expect, it } from "vitest";
import { readAddress } from "../../apps/h5/src/pages/addresses/read_address.ts";
import { loadRegions, type Region } from "../../apps/h5/src/pages/addresses/regions.ts";

let provinces: Region[];
beforeAll(async () => {
  provinces = await loadRegions();
});

const shenzhen = { region: ["广东省", "深圳市", "南山区"], street: "科技园1号" };
const wang = { name: "王小明", phone: "13800000000" };

describe("a text with name, phone and address", () => {
  it.each([
    ["one after the other", "王小明 13800000000 广东省深圳市南山区科技园1号", { ...wang, ...shenzhen }],
    ["without any space", "王小明13800000000广东省深圳市南山区科技园1号", { ...wang, ...shenzhen }],
    ["address first", "广东省深圳市南山区科技园1号，王小明，138-0000-0000", { ...wang, ...shenzhen }],
    [
      "in lines with labels",
      "收货人：王小明\n手机号码：１３８００００００００\n所在地区：广东省 深圳市 南山区\n详细地址：科技园1号",
      { ...wang, ...shenzhen },
    ],
    ["with a country code", "王小明, +86 138 0000 0000, 广东 深圳 南山区, 科技园1号", { ...wang, ...shenzhen }],
    ["without the province", "王小明 13800000000 深圳市南山区科技园1号", { ...wang, ...shenzhen }],
    ["without the city", "王小明 13800000000 广东省南山区科技园1号", { ...wang, ...shenzhen }],
    ["with a postcode", "王小明 13800000000 518000 广东省深圳市南山区科技园1号", { ...wang, ...shenzhen }],
    [
      "in a municipality",
      "李雷 010-12345678 北京市东城区王府井大街5号",
      { name: "李雷", phone: "01012345678", region: ["北京市", "北京市", "东城区"], street: "王府井大街5号" },
    ],
    [
      "in a district that names its city",
      "韩梅梅 13912345678 浦东新区张江路88号",
      { name: "韩梅梅", phone: "13912345678", region: ["上海市", "上海市", "浦东新区"], street: "张江路88号" },
    ],
    [
      "in an autonomous region",
      "古丽 13912345678 新疆乌鲁木齐市天山区解放路1号",
      { name: "古丽", phone: "13912345678", region: ["新疆维吾尔自治区", "乌鲁木齐市", "天山区"], street: "解放路1号" },
    ],
    [
      "with a Latin name",
      "Lin Wei, 13800000000, 广东省深圳市南山区科技园1号",
      { name: "Lin Wei", phone: "13800000000", ...shenzhen },
    ],
  ])("is read %s", (_how, text, read) => {
    expect(readAddress(text, provinces)).toEqual(read);
  });

  it.each([
    [
      "a street with the name of a district is no district",
      "深圳市南山路1号",
      { region: ["广东省", "深圳市"], street: "南山路1号" },
    ],
    [
      "a street with the name of a province is no province",
      "13800000000 海南路1号",
      { phone: "13800000000", street: "海南路1号" },
    ],
    [
      "a district of several cities names none",
      "13800000000 鼓楼区中山路1号",
      { phone: "13800000000", street: "鼓楼区中山路1号" },
    ],
    ["only a phone number", "13800000000", { phone: "13800000000" }],
    ["a longer number is no phone", "订单号 2026111213800000000123", {}],
    ["nothing", "   ", {}],
  ])("%s", (_what, text, read) => {
    expect(readAddress(text, provinces)).toEqual(read);
  });
});

it("every province has cities, and the districts of a city have different names", () => {
  expect(provinces.length).toBeGreaterThan(30);
  for (const { name, parts } of provinces) {
    expect(parts.length, name).toBeGreaterThan(0);
    for (const city of parts)
      expect(new Set(city.parts.map((district) => district.name)).size, city.name).toBe(city.parts.length);
  }
});
