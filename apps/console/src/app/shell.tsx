import {
  ActionIcon,
  Alert,
  AppShell,
  Box,
  Burger,
  Divider,
  Group,
  Image,
  Loader,
  Menu,
  NavLink,
  ScrollArea,
  Text,
  UnstyledButton,
} from "@mantine/core";
import { useDisclosure, useNetwork } from "@mantine/hooks";
import { CircleUser, IdCard, KeyRound, LogOut, Mail, ShieldCheck, WifiOff } from "lucide-react";
import { Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { NavLink as RouterLink, Outlet, useLocation, useNavigation } from "react-router";
import { WaitingOnPage } from "../components/waiting_count.tsx";
import { ChangePasswordDialog, OwnNameDialog, SecondFactorDialog } from "../session/later.ts";
import { useHasArea } from "../session/own_areas.ts";
import { useSession, useSessionState } from "../session/session_context.ts";
import { useSiteName } from "../store/site_name.ts";
import { useAdmin } from "../store/store.ts";
import { useMenu } from "./navigation.ts";
import { ColorSchemeButton, LanguageMenu } from "./preferences.tsx";
import { SearchButton } from "./search_button.tsx";

/** The roles of the signed-in administrator. */
function OwnRoles() {
  const { t } = useTranslation("common");
  const { data } = useAdmin("/adminapi/me");
  return (
    data && (
      <Menu.Label>
        {data.name !== null && <Text size="xs">{data.name}</Text>}
        {t("roles.yours")}: {data.roles.map((role) => t(`roles.names.${role}`)).join(", ")}
      </Menu.Label>
    )
  );
}

function AccountMenu() {
  const { t } = useTranslation(["common", "session"]);
  const session = useSession();
  const state = useSessionState();
  const readsRecords = useHasArea("records");
  const [isChanging, { open, close }] = useDisclosure(false);
  const [isNaming, naming] = useDisclosure(false);
  const [isProving, proving] = useDisclosure(false);
  if (state.kind !== "signed_in" && state.kind !== "expired") return null;
  if (isChanging)
    return (
      <Suspense>
        <ChangePasswordDialog account={state.account} onClose={close} />
      </Suspense>
    );
  if (isNaming)
    return (
      <Suspense>
        <OwnNameDialog onClose={naming.close} />
      </Suspense>
    );
  if (isProving)
    return (
      <Suspense>
        <SecondFactorDialog onClose={proving.close} />
      </Suspense>
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t("account", { email: state.account.email })}>
          <CircleUser size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{state.account.email}</Menu.Label>
        <OwnRoles />
        <Menu.Item leftSection={<IdCard size={16} aria-hidden />} onClick={naming.open}>
          {t("session:ownName.change")}
        </Menu.Item>
        {readsRecords && (
          <Menu.Item component={RouterLink} to="/notices" leftSection={<Mail size={16} aria-hidden />}>
            {t("notices")}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<KeyRound size={16} aria-hidden />} onClick={open}>
          {t("session:newPassword.change")}
        </Menu.Item>
        <Menu.Item leftSection={<ShieldCheck size={16} aria-hidden />} onClick={proving.open}>
          {t("session:factor.title")}
        </Menu.Item>
        <Menu.Item leftSection={<LogOut size={16} aria-hidden />} onClick={() => void session.signOut()}>
          {t("signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function PageLinks() {
  const { t } = useTranslation("common");
  return useMenu().map(({ group, pages }) => (
    <Box key={group} role="group" mb="md" aria-labelledby={`nav-${group}`}>
      <Text id={`nav-${group}`} size="xs" fw={600} c="dimmed" px="sm" mb={4}>
        {t(`navGroup.${group}`)}
      </Text>
      {pages.map(({ name, icon: Icon, route }) => (
        <RouterLink
          key={name}
          to={`/${route}`}
          style={{ textDecoration: "none", color: "inherit", display: "block", borderRadius: 8 }}
        >
          {({ isActive }) => (
            <NavLink
              component="span"
              active={isActive}
              label={t(`nav.${name}`)}
              leftSection={<Icon size={18} aria-hidden />}
              rightSection={<WaitingOnPage route={route} />}
              style={{ borderRadius: 8 }}
            />
          )}
        </RouterLink>
      ))}
    </Box>
  ));
}

/** The layout around every page: the header with the site name and preferences, and the menu. */
export function Shell() {
  const { t } = useTranslation("common");
  const [menuIsOpen, { toggle: toggleMenu, close: closeMenu }] = useDisclosure(false);
  const { pathname } = useLocation();
  const { online } = useNetwork();
  const isLoading = useNavigation().state === "loading";
  const siteName = useSiteName();

  useEffect(() => closeMenu(), [pathname, closeMenu]);

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: "sm", collapsed: { mobile: !menuIsOpen } }}
      padding="md"
    >
      <a
        className="skip-link"
        href="#content"
        onClick={(event) => {
          // The part after `#` is the route.
          event.preventDefault();
          document.querySelector<HTMLElement>("h1")?.focus();
        }}
      >
        {t("skipToContent")}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
            <Burger
              opened={menuIsOpen}
              onClick={toggleMenu}
              hiddenFrom="sm"
              size="sm"
              aria-label={t("menu")}
              aria-expanded={menuIsOpen}
            />
            <UnstyledButton component={RouterLink} to="/" style={{ minWidth: 0 }}>
              <Group gap="xs" wrap="nowrap">
                <Image src="./icon.svg" alt="" w={26} h={26} />
                <Text fw={650} truncate>
                  {siteName ?? t("appName")}
                </Text>
              </Group>
            </UnstyledButton>
          </Group>
          <Group gap={4} wrap="nowrap">
            {isLoading && <Loader size="xs" role="status" aria-label={t("loading")} />}
            <SearchButton />
            <LanguageMenu />
            <ColorSchemeButton />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label={t("menu")}>
        <ScrollArea p="sm" type="auto" h="100%">
          <PageLinks />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main>
        {!online && (
          <Alert
            color="orange"
            mb="md"
            icon={<WifiOff size={18} aria-hidden />}
            title={t("offline.title")}
            role="status"
          >
            {t("offline.advice")}
          </Alert>
        )}
        <Outlet />
        <Divider mt="xl" opacity={0} />
      </AppShell.Main>
    </AppShell>
  );
}
