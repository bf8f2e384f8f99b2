import { Center, Group, Image, Paper, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Filing } from "../../../shared/filing.tsx";
import { ColorSchemeButton, LanguageMenu } from "../app/preferences.tsx";
import { useIcpNumber } from "../store/store.ts";

/** The frame of the pages for those who are not signed in. */
export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(title);
  const icpNumber = useIcpNumber();
  return (
    <Center
      component="main"
      mih="100vh"
      p="md"
      bg="light-dark(var(--mantine-color-gray-0), var(--mantine-color-dark-8))"
    >
      <Stack w={380} maw="100%">
        <Paper withBorder shadow="sm" p="xl">
          <Group mb="lg" gap="sm" wrap="nowrap">
            <Image src="./icon.svg" alt="" w={32} h={32} />
            <Title order={1} size="h2">
              {title}
            </Title>
          </Group>
          {children}
        </Paper>
        <Group justify="center" gap="xs">
          <LanguageMenu />
          <ColorSchemeButton />
        </Group>
        {icpNumber !== undefined && (
          <Text component="div" size="sm" ta="center">
            <Filing number={icpNumber} />
          </Text>
        )}
      </Stack>
    </Center>
  );
}
