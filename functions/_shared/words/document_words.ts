/** The types of documents in words. Not in words.ts, because the H5 app loads them with the page that needs them. */
export const documentWords = {
  id_card: { en: "Identity card or residence permit", zh: "居民身份证或居住证" },
  passport: { en: "Passport", zh: "护照" },
  hk_macao_permit: { en: "Mainland travel permit for Hong Kong and Macao residents", zh: "港澳居民来往内地通行证" },
  taiwan_permit: { en: "Mainland travel permit for Taiwan residents", zh: "台湾居民来往大陆通行证" },
};
