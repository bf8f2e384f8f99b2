import { Box, Center, Group, Image } from "@mantine/core";
import { Package } from "lucide-react";
import type { ReactNode } from "react";
import { thumbnailOf } from "../../../../functions/_shared/words/thumbnail.ts";

type Address = string | null | undefined;

/** The small picture of a product or an article. A symbol takes its place if there is none. */
export function Thumbnail({ address, side = 32 }: { address: Address; side?: number }) {
  if (address)
    return (
      <Image src={thumbnailOf(address)} alt="" w={side} h={side} miw={side} fit="cover" radius="sm" loading="lazy" />
    );
  return (
    <Center w={side} h={side} miw={side} c="dimmed">
      <Package size={20} strokeWidth={1.5} aria-hidden />
    </Center>
  );
}

/** A title behind its small picture. */
export function Pictured({ address, children }: { address: Address; children: ReactNode }) {
  return (
    <Group gap="xs" wrap="nowrap" className="pictured">
      <Thumbnail address={address} />
      <Box miw={0}>{children}</Box>
    </Group>
  );
}
