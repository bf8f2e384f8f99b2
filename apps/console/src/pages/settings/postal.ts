import type { Admin } from "../../../../client/index.ts";

/** A postal address in a form. The names of the region are one text, separated by blanks. */
export interface PostalFields {
  name: string;
  phone: string;
  region: string;
  street: string;
}

export const emptyPostal: PostalFields = { name: "", phone: "", region: "", street: "" };

export const toPostal = ({ region, ...address }: Admin["Address"]): PostalFields => ({
  ...address,
  region: region.join(" "),
});

export const toAddress = ({ name, phone, region, street }: PostalFields): Admin["Address"] => ({
  name: name.trim(),
  phone: phone.trim(),
  region: region.split(/\s+/).filter(Boolean),
  street: street.trim(),
});

export const isEmpty = (fields: PostalFields): boolean =>
  Object.values(fields).every((part: string) => part.trim() === "");

/** Whether something of the address is missing. The rules of its parts are checked by the store. */
export const isWrong = (fields: PostalFields): boolean =>
  !isEmpty(fields) && Object.values(fields).some((part: string) => part.trim() === "");
