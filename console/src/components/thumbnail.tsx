import { Center, Image } from "@mantine/core";
import { Package } from "lucide-react";
import { thumbnailOf } from "../../../web/thumbnail.ts";

const side = 32;

/** The small picture of a product beside its title. A symbol takes its place if there is none. */
export function Thumbnail({ address }: { address: string | null | undefined }) {
  if (address) return <Image src={thumbnailOf(address)} alt="" w={side} h={side} miw={side} fit="cover" radius="sm" loading="lazy" />;
  return (
    <Center w={side} h={side} miw={side} c="dimmed">
      <Package size={20} strokeWidth={1.5} aria-hidden />
    </Center>
  );
}
