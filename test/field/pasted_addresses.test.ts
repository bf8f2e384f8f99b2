import { beforeAll, describe, expect, it } from "vitest";
import { type ReadAddress, readAddress } from "../../apps/h5/src/pages/addresses/read_address.ts";
import { loadRegions, type Region } from "../../apps/h5/src/pages/addresses/regions.ts";

// Texts that people pasted into the forms of shops, and that were not read rightly there.

let provinces: Region[];
beforeAll(async () => {
  provinces = await loadRegions();
});

const cases: [source: string, text: string, read: ReadAddress][] = [
  [
    "https://github.com/wzc570738205/smartParsePro/issues/8",
    "葛亚,13515842218,浙江省 宁波市 镇海区 蛟川街道临江小区30幢306室,315200",
    {
      name: "葛亚",
      phone: "13515842218",
      region: ["浙江省", "宁波市", "镇海区"],
      street: "蛟川街道临江小区30幢306室",
    },
  ],
  [
    "https://github.com/pupuk/address/issues/8, the first",
    "马云13593464918陕西省西安市雁塔区丈八沟街道高新四路南江国际",
    {
      name: "马云",
      phone: "13593464918",
      region: ["陕西省", "西安市", "雁塔区"],
      street: "丈八沟街道高新四路南江国际",
    },
  ],
  [
    "https://github.com/pupuk/address/issues/8, the second",
    "姓名：马云\n联系电话：800-8585222\n所在地区：河北省石家庄市新华区\n详细地址:中华北大街68号鹿城商务中心6号楼1413室",
    {
      name: "马云",
      phone: "8008585222",
      region: ["河北省", "石家庄市", "新华区"],
      street: "中华北大街68号鹿城商务中心6号楼1413室",
    },
  ],
  [
    "https://github.com/wzc570738205/smartParsePro/issues/21",
    "深圳市罗湖区金湖路，张三，15012345678",
    { name: "张三", phone: "15012345678", region: ["广东省", "深圳市", "罗湖区"], street: "金湖路" },
  ],
  [
    "https://github.com/akebe/address-parse/issues/63",
    "金湖花园2栋301，广东省深圳市罗湖区，15012345678，李小红",
    { name: "李小红", phone: "15012345678", region: ["广东省", "深圳市", "罗湖区"], street: "金湖花园2栋301" },
  ],
  [
    "https://github.com/pupuk/address-smart-parse/issues/5",
    "张三三，上海 上海市 浦东新区 世纪大道1号，13226666333",
    { name: "张三三", phone: "13226666333", region: ["上海市", "上海市", "浦东新区"], street: "世纪大道1号" },
  ],
  [
    "https://github.com/ldwonday/zh-address-parse/issues/88",
    "Mary，13688888888，济源市沁园街道花花花路888号",
    { name: "Mary", phone: "13688888888", region: ["河南省", "济源市"], street: "沁园街道花花花路888号" },
  ],
  [
    "the same kind, in an autonomous region",
    "王五 13688888888 新疆石河子市北四路1号",
    { name: "王五", phone: "13688888888", region: ["新疆维吾尔自治区", "石河子市"], street: "北四路1号" },
  ],
  [
    "the same kind, in a municipality",
    "王五 13688888888 重庆市城口县东大街1号",
    { name: "王五", phone: "13688888888", region: ["重庆市", "城口县"], street: "东大街1号" },
  ],
  [
    "https://github.com/wzc570738205/smart_parse/issues/16, the first",
    "广东省珠海市香洲区盘山路28号幸福茶庄  陈景勇 13811111111",
    { name: "陈景勇", phone: "13811111111", region: ["广东省", "珠海市", "香洲区"], street: "盘山路28号幸福茶庄" },
  ],
  [
    "https://github.com/wzc570738205/smart_parse/issues/16, the second",
    "深圳市盐田区心广场B栋1601  龚亮  13541111111",
    { name: "龚亮", phone: "13541111111", region: ["广东省", "深圳市", "盐田区"], street: "心广场B栋1601" },
  ],
  [
    "https://github.com/wzc570738205/smartParsePro/issues/27",
    "马云，陕西省西安市雁塔区丈八沟街道高新四路南江国际 13593464918",
    {
      name: "马云",
      phone: "13593464918",
      region: ["陕西省", "西安市", "雁塔区"],
      street: "丈八沟街道高新四路南江国际",
    },
  ],
  [
    "https://github.com/pupuk/addr/issues/6",
    "收货人: 徐六月\n手机号码: 19308272897\n所在地区: 四川省成都市武侯区武侯街道\n详细地址: 武侯西路18号",
    {
      name: "徐六月",
      phone: "19308272897",
      region: ["四川省", "成都市", "武侯区"],
      street: "武侯街道武侯西路18号",
    },
  ],
  [
    "https://github.com/akebe/address-parse/issues/28: a name that nothing divides from the street is not guessed",
    "广西南宁良庆区五象航洋城38楼马云15000000000",
    { phone: "15000000000", region: ["广西壮族自治区", "南宁市", "良庆区"], street: "五象航洋城38楼马云" },
  ],
];

describe("a pasted address", () => {
  it.each(cases)("%s", (_source, text, read) => {
    expect(readAddress(text, provinces)).toEqual(read);
  });
});
