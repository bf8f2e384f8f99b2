import { randomBytes } from "node:crypto";

const newAppid = () => `wx${randomBytes(8).toString("hex")}`;

/** The mini program of the fake WeChat. */
export const MINI = { appid: newAppid(), secret: "the-secret" };
/** The service account of the fake WeChat, for web pages. */
export const H5 = { appid: newAppid(), secret: "the-h5-secret" };

/**
 * Gives the fake WeChat new apps, for every test file its own: the database keeps one access token per app, files run
 * beside each other, and those of one worker share this module.
 */
export function renewApps(): void {
  for (const app of [MINI, H5]) app.appid = newAppid();
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** With what the mini program's messages are signed and encrypted: token and EncodingAESKey. */
export const MINI_PUSH = {
  token: "the-token",
  key: Array.from(randomBytes(43), (byte) => LETTERS[byte % LETTERS.length]).join(""),
};
