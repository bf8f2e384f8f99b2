import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { ArrowLeft } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "react-router";
import { lastSearchOf } from "./list_state.ts";

interface PageProps {
  title: string;
  /** A sentence under the title. */
  about?: ReactNode;
  /** The list that this page belongs to. It opens with the filters that it had last. */
  back?: { to: string; label: string };
  /** Buttons beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/**
 * The frame of every page. The title is also the title of the browser tab, and receives the focus, unless a dialog was
 * opened while the page was loading.
 */
export function Page({ title, about, back, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useDocumentTitle(title);
  useEffect(() => {
    if (!document.querySelector("[role=dialog]")) heading.current?.focus({ preventScroll: true });
  }, []);

  return (
    <Stack gap="sm" id="content">
      <div>
        {back && (
          <Anchor
            component={Link}
            to={back.to + lastSearchOf(back.to)}
            size="sm"
            mb={4}
            display="inline-flex"
            style={{ alignItems: "center", gap: 4 }}
          >
            <ArrowLeft size={14} aria-hidden /> {back.label}
          </Anchor>
        )}
        <Group justify="space-between" align="flex-start" gap="sm" className="page-head">
          <div>
            <Title order={1} ref={heading} tabIndex={-1}>
              {title}
            </Title>
            {about && (
              <Text c="dimmed" size="sm" maw={720}>
                {about}
              </Text>
            )}
          </div>
          {actions && (
            <Group gap="xs" className="page-actions">
              {actions}
            </Group>
          )}
        </Group>
      </div>
      {children}
    </Stack>
  );
}
