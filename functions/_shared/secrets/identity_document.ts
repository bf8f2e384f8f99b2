import { VALUE_LISTS } from "../ground/value_lists.ts";
// The form of identity documents: whether a number can be one, how it is compared, and how it is masked. It stands here
// and not in the database, which never has the number (docs/decisions/0131).

/** The types of documents of a real name. */
export const DOCUMENTS = VALUE_LISTS["real_names.document"];
export type DocumentType = (typeof DOCUMENTS)[number];

/** A person as a document names them. */
export interface RealName {
  name: string;
  document: DocumentType;
  number: string;
}

/**
 * The weights of the 17 digits before the check digit, and the check digits by remainder (GB 11643-1999: ISO 7064, MOD
 * 11-2).
 */
const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const CHECK_DIGITS = "10X98765432";

/**
 * Whether a number of 18 digits is that of an identity card, or of a residence permit, which is numbered in the same
 * way: a birthday that was, and the check digit.
 */
function isIdCard(number: string, today: Date): boolean {
  const [, year, month, day] = /^[1-9]\d{5}(\d{4})(\d{2})(\d{2})\d{3}[\dX]$/.exec(number) ?? [];
  if (!year || !month || !day) return false;
  const birthday = new Date(`${year}-${month}-${day}T00:00:00Z`);
  const isDay = !Number.isNaN(birthday.getTime()) && birthday.getUTCDate() === Number(day);
  const sum = WEIGHTS.reduce((total, weight, place) => total + weight * Number(number[place]), 0);
  return isDay && Number(year) >= 1900 && birthday <= today && CHECK_DIGITS[sum % 11] === number[17];
}

const FORMS: Readonly<Record<DocumentType, { is: (number: string, today: Date) => boolean; problem: string }>> = {
  id_card: {
    is: isIdCard,
    problem:
      "This is not the number of an identity card: its digits do not fit together. Compare it with the card, digit by digit.",
  },
  passport: {
    is: (number) => /^(?=.*\d)[0-9A-Z]{5,9}$/.test(number),
    problem: "The number of a passport has 5 to 9 letters and digits.",
  },
  hk_macao_permit: {
    is: (number) => /^[HM]\d{8}$/.test(number),
    problem: "The number of this permit is H or M and 8 digits.",
  },
  taiwan_permit: { is: (number) => /^\d{8}$/.test(number), problem: "The number of this permit has 8 digits." },
};

/**
 * A person in the form in which numbers are compared: full width, small letters, blanks and hyphens do not matter. On a
 * permit for residents of Hong Kong and Macao, two more digits count the cards of the person.
 */
export function normalRealName({ name, document, number }: RealName): RealName {
  const normal = number.normalize("NFKC").toUpperCase().replaceAll(/[\s-]/g, "");
  return {
    name: name.normalize("NFC").trim(),
    document,
    number: document === "hk_macao_permit" ? normal.replace(/^([HM]\d{8})\d{2}$/, "$1") : normal,
  };
}

/** What is wrong with a real name, by its field; undefined if it has the form of one. */
export function problemOfRealName(
  given: RealName,
  today: Date,
): { field: "name" | "number"; problem: string } | undefined {
  const { name, document, number } = normalRealName(given);
  if (!/^\p{L}.*\p{L}/u.test(name)) return { field: "name", problem: "Enter the full name, as it is on the document." };
  const form = FORMS[document];
  return form.is(number, today) ? undefined : { field: "number", problem: form.problem };
}

/** The ends of a name and a number, which say as much as somebody needs to recognize them. */
export const maskedName = (name: string): string => `${[...name][0]}**`;
export const maskedNumber = (number: string): string => `${number[0]}${"*".repeat(number.length - 2)}${number.at(-1)}`;
