import { load } from "../../../../shared/load_page.ts";

/** A province with its cities, a city with its districts, or a district. */
export interface Region {
  name: string;
  parts: Region[];
}

/** What the list has in the place of a city where a province contains a district itself. Nobody writes it. */
const noCity = ["省直辖县", "自治区直辖县级行政区划", "县"];

/** The names of a region as people write them. */
export const writtenRegion = (names: string[]): string[] => names.filter((name) => !noCity.includes(name));

/**
 * The names by their code of six digits: two each for province, city and district, the lower ones 00 for what contains
 * them.
 */
type Names = Record<string, string>;

const regionsOf = (names: Names, code: string, partsOf: (code: string) => Region[]): Region[] =>
  Object.entries(names)
    .filter(([each]) => each.startsWith(code))
    .map(([each, name]) => ({ name, parts: partsOf(each) }));

/**
 * The provinces of China with their cities and districts. The list is a file of its own, which is loaded when it is
 * needed.
 */
export const loadRegions = load(async (): Promise<Region[]> => {
  const { areaList } = await import("@vant/area-data");
  const { province_list, city_list, county_list } = areaList;
  const districtsOf = (code: string) => regionsOf(county_list, code.slice(0, 4), () => []);
  const citiesOf = (code: string) => regionsOf(city_list, code.slice(0, 2), districtsOf);
  return regionsOf(province_list, "", citiesOf);
});
