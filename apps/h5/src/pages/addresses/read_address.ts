import { type Region, writtenRegion } from "./regions.ts";

/** What was recognised of an address. */
export interface ReadAddress {
  name?: string;
  phone?: string;
  /** From the province downwards. */
  region?: string[];
  street?: string;
}

/** What people write in front of the parts. */
const labels =
  /(收货人|收件人|联系人|姓名|手机号码|手机号|手机|联系电话|电话|所在地区|收货地址|详细地址|地址|邮编|name|recipient|phone|mobile|address)\s*:/giu;
const phones =
  /(?<![\d+])(?:\+?86[-\s]?)?(?:1[3-9]\d[-\s]?\d{4}[-\s]?\d{4}|0\d{2,3}[-\s]?\d{7,8}|[48]00(?:[-\s]?\d){7})(?!\d)/u;
const separators = /[\n,;、|]+/u;
const postcode = /^\d{6}$/u;
const latinName = /^[A-Za-z][A-Za-z .'-]{1,39}$/u;
const chineseName = /^[\p{Script=Han}·]{2,5}$/u;
/** How parts of a street end, unlike names. */
const ofStreets = /(路|街|道|号|室|楼|层|栋|座|幢|单元|村|镇|乡|区|园|巷|弄|苑|城|厦|院|站|店|旁|口|内|家)$/u;
/** What people leave out at the end of a province or a city. */
const suffixes = /(特别行政区|(?:维吾尔|壮族|回族)?自治区|省|市)$/u;

interface Match {
  names: string[];
  /** How many characters of the text they are. */
  length: number;
}

const isName = (text: string) => latinName.test(text) || (chineseName.test(text) && !ofStreets.test(text));

function longest(matches: Match[]): Match | undefined {
  return matches.sort((one, other) => other.length - one.length)[0];
}

/** A district has its whole name: without the end, it would be found in the name of a street. */
const districtIn = (text: string, districts: Region[]): Match | undefined =>
  longest(
    districts.filter(({ name }) => text.startsWith(name)).map(({ name }) => ({ names: [name], length: name.length })),
  );

/** A region at the beginning of a text by its whole name, or by a shorter one if what follows is a part of it. */
function regionIn(
  text: string,
  regions: Region[],
  partIn: (rest: string, region: Region) => Match | undefined,
): Match | undefined {
  return longest(
    regions.flatMap((region) => {
      const short = region.name.replace(suffixes, "");
      return [region.name, ...(short.length > 1 && short !== region.name ? [short] : [])].flatMap((word) => {
        if (!text.startsWith(word)) return [];
        const part = partIn(text.slice(word.length), region);
        if (!part && word !== region.name) return [];
        return { names: [region.name, ...(part?.names ?? [])], length: word.length + (part?.length ?? 0) };
      });
    }),
  );
}

const cityIn = (text: string, cities: Region[]): Match | undefined =>
  regionIn(text, cities, (rest, { parts }) => districtIn(rest, parts));

/** A district whose city was left out, if only one has such a district. */
function onlyDistrictIn(text: string, cities: Region[]): Match | undefined {
  const found = cities.flatMap((city) => {
    const district = districtIn(text, city.parts);
    return district ? { names: [city.name, ...district.names], length: district.length } : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

function placeIn(text: string, provinces: Region[]): Match | undefined {
  const whole = regionIn(text, provinces, (rest, { parts }) => cityIn(rest, parts) ?? onlyDistrictIn(rest, parts));
  if (whole) return whole;
  // Without a province.
  const found = provinces.flatMap((province) => {
    const match = cityIn(text, province.parts) ?? onlyDistrictIn(text, province.parts);
    return match ? { names: [province.name, ...match.names], length: match.length } : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The pieces of a text: people separate name and address, and often the parts of the address, too. */
function piecesOf(text: string): string[] {
  return text
    .split(separators)
    .map((piece) => piece.trim())
    .flatMap((piece) => (latinName.test(piece) ? piece : piece.split(/\s+/u)))
    .filter((piece) => piece !== "" && !postcode.test(piece));
}

/** Takes the characters of a region from the beginning of the pieces. */
function withoutFirst(pieces: string[], length: number): string[] {
  let left = length;
  return pieces
    .map((piece) => {
      const rest = piece.slice(left);
      left = Math.max(left - piece.length, 0);
      return rest;
    })
    .filter(Boolean);
}

/**
 * Recognises name, phone and address in one text, as people send them in a chat. What is not recognised is left out, or
 * is the street if something is.
 * @param provinces with their cities and districts
 */
export function readAddress(text: string, provinces: Region[]): ReadAddress {
  // Letters, digits and signs of full width become the usual ones.
  const plain = text.normalize("NFKC").replace(labels, "\n");
  const phone = phones.exec(plain)?.[0];
  const pieces = piecesOf(phone ? plain.replace(phone, "\n") : plain);
  const read: ReadAddress = {};
  if (phone) read.phone = phone.replace(/^\+?86[-\s]?/u, "").replace(/[-\s]/gu, "");

  let before = pieces;
  let after: string[] = [];
  for (let at = 0; at < pieces.length; at += 1) {
    const place = placeIn(pieces.slice(at).join(""), provinces);
    if (place) {
      read.region = writtenRegion(place.names);
      before = pieces.slice(0, at);
      after = withoutFirst(pieces.slice(at), place.length);
      break;
    }
  }
  const name = before.find(isName) ?? after.findLast(isName);
  if (name !== undefined) read.name = name;
  if (Object.keys(read).length === 0) return {};
  const street = [...after, ...before].filter((piece) => piece !== name).join(" ");
  if (street) read.street = street.replace(/(?<=[^ -~]) (?=[^ -~])/gu, "");
  return read;
}
