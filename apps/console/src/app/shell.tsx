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
import {
  ChevronDown,
  ChevronRight,
  CircleUser,
  IdCard,
  Keyboard,
  KeyRound,
  LogOut,
  Mail,
  Scale,
  ShieldCheck,
  WifiOff,
} from "lucide-react";
import { Suspense, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { NavLink as RouterLink, Outlet, useLocation, useNavigation } from "react-router";
import { WaitingOnPages } from "../components/waiting_count.tsx";
import { ChangePasswordDialog, OwnNameDialog, SecondFactorDialog, ShortcutsDialog } from "../session/later.ts";
import { useHasArea } from "../session/own_areas.ts";
import { useSession, useSessionState } from "../session/session_context.ts";
import { useSiteName } from "../store/site_name.ts";
import { useAdmin } from "../store/store.ts";
import { useMenu } from "./navigation.ts";
import { useShortcuts } from "./use_shortcuts.ts";
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

function AccountMenu({ onShortcuts }: { onShortcuts: () => void }) {
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
        <Menu.Item leftSection={<Keyboard size={16} aria-hidden />} onClick={onShortcuts}>
          {t("shortcuts")}
        </Menu.Item>
        {/* The build writes the file. */}
        <Menu.Item
          component="a"
          href="./THIRD_PARTY_NOTICES.txt"
          target="_blank"
          rel="noreferrer"
          leftSection={<Scale size={16} aria-hidden />}
        >
          {t("licences")}
        </Menu.Item>
        <Menu.Item leftSection={<LogOut size={16} aria-hidden />} onClick={() => void session.signOut()}>
          {t("signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Whether a route is that of a page, or of a part of it. */
const isAt = (pathname: string, route: string) => pathname === `/${route}` || pathname.startsWith(`/${route}/`);

/** A group of the menu, which is open if the page that is shown is one of its pages. */
function PageGroup({ group: { group, icon: Icon, pages } }: { group: ReturnType<typeof useMenu>[number] }) {
  const { t } = useTranslation("common");
  const { pathname } = useLocation();
  const isActive = pages.some(({ route }) => isAt(pathname, route));
  const [isOpen, { toggle, set }] = useDisclosure(isActive);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => set(isActive), [isActive, set]);
  useEffect(() => {
    if (isActive && isOpen) list.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest" });
  }, [pathname, isActive, isOpen]);
  return (
    <Box role="group" aria-label={t(`navGroup.${group}`)}>
      <NavLink
        component="button"
        type="button"
        className="menu-entry"
        label={t(`navGroup.${group}`)}
        leftSection={<Icon size={18} aria-hidden />}
        rightSection={
          <>
            {!isOpen && <WaitingOnPages routes={pages.map(({ route }) => route)} />}
            {isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
          </>
        }
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      />
      <div id={id} ref={list} hidden={!isOpen}>
        {pages.map(({ name, route }) => (
          <RouterLink key={name} to={`/${route}`} className="menu-link">
            {({ isActive: isShown }) => (
              <NavLink
                component="span"
                className="menu-entry"
                active={isShown}
                pl={42}
                label={t(`nav.${name}`)}
                rightSection={<WaitingOnPages routes={[route]} />}
              />
            )}
          </RouterLink>
        ))}
      </div>
    </Box>
  );
}

function PageLinks() {
  return useMenu().map((group) => <PageGroup key={group.group} group={group} />);
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
  const [isAsked, shortcuts] = useDisclosure(false);
  useShortcuts(shortcuts.open);

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
            <AccountMenu onShortcuts={shortcuts.open} />
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
        {isAsked && (
          <Suspense>
            <ShortcutsDialog onClose={shortcuts.close} />
          </Suspense>
        )}
        <Divider mt="xl" opacity={0} />
      </AppShell.Main>
    </AppShell>
  );
}
