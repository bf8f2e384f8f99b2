import { createContext, useContext } from "react";
import type { Store } from "../../../client/index.ts";
import type { Config } from "../../../shared/config.ts";
import type { ConnectedStore } from "../../../shared/connect_store.ts";
import type { UploadPicture } from "../../../shared/upload_picture.ts";
import { createUseRead } from "../../../shared/use_read.ts";
import { isInWechat } from "../session/wechat.ts";

/** The store and what its installation offers. */
interface StoreAccess
  extends
    Pick<ConnectedStore, "api" | "uploadPicture">,
    Pick<Config, "paymentProvider" | "wechatAppid" | "hasSharePages" | "phoneSignIn" | "icpNumber"> {}

export const StoreContext = createContext<StoreAccess | undefined>(undefined);

/** Writes: `const api = useStore()`, then within `useAction`. */
export function useStore(): Store["api"] {
  return useContext(StoreContext)!.api;
}

/** The upload of pictures. */
export function useUploadPicture(): UploadPicture {
  return useContext(StoreContext)!.uploadPicture;
}

/** Reads: `useApi("/api/user")`. */
export const useApi = createUseRead(useStore);

/** The payment provider of this installation; undefined where members pay offline. */
export function usePaymentProvider(): string | undefined {
  return useContext(StoreContext)!.paymentProvider;
}

/** Whether this installation has pages for share links, with which other apps show a preview. */
export function useHasSharePages(): boolean {
  return useContext(StoreContext)!.hasSharePages;
}

/**
 * The app with which members sign in as users of WeChat; undefined outside of WeChat, and where the store has no
 * service account.
 */
export function useWechatAppid(): string | undefined {
  const { wechatAppid } = useContext(StoreContext)!;
  return isInWechat ? wechatAppid : undefined;
}

/** Whether members sign in by a code that is sent to their phone, too. */
export function usePhoneSignIn(): boolean {
  return useContext(StoreContext)!.phoneSignIn;
}

/** The number under which the site is filed in mainland China; undefined where it need not be. */
export function useIcpNumber(): string | undefined {
  return useContext(StoreContext)!.icpNumber;
}
