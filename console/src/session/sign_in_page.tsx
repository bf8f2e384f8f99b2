import { Center, Group, Image, Paper, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { ColorSchemeButton, LanguageMenu } from "../app/preferences.tsx";
import { SignInForm } from "./sign_in_form.tsx";

export function SignInPage() {
  const { t } = useTranslation("session");
  useDocumentTitle(t("title"));
  return (
    <Center component="main" mih="100vh" p="md" bg="light-dark(var(--mantine-color-gray-0), var(--mantine-color-dark-8))">
      <Stack w={380} maw="100%">
        <Paper withBorder shadow="sm" p="xl">
          <Group mb="lg" gap="sm">
            <Image src="./icon.svg" alt="" w={32} h={32} />
            <Title order={1} size="h2">{t("title")}</Title>
          </Group>
          <Text c="dimmed" size="sm" mb="md">{t("forWhom")}</Text>
          <SignInForm />
        </Paper>
        <Group justify="center" gap="xs">
          <LanguageMenu />
          <ColorSchemeButton />
        </Group>
      </Stack>
    </Center>
  );
}
