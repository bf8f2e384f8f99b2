import { Alert, Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Shuffle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { unwrap } from "../../../../client/index.ts";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { ArticlePreview } from "../../components/phone_preview.tsx";
import { useStore } from "../../store/store.ts";

/** An article as the sign-in gate would show it. */
export function GatePreview() {
  const { t } = useTranslation("articles");
  const { api } = useStore();
  // The response may be "none", which a query cannot cache as data, so it is wrapped.
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ["sign-in gate"],
    queryFn: async () => ({ article: await unwrap(api.GET("/api/sign/required_article")) }),
  });
  return (
    <Stack align="flex-start">
      <Text size="sm" c="dimmed">
        {t("gate.about")}
      </Text>
      <Button
        variant="default"
        leftSection={<Shuffle size={16} aria-hidden />}
        loading={isFetching}
        onClick={() => void refetch()}
      >
        {t("gate.draw")}
      </Button>
      <FailureAlert error={error} onRetry={() => void refetch()} />
      {data &&
        (data.article ? (
          <ArticlePreview article={data.article} />
        ) : (
          <Alert color="blue" title={t("gate.open")} maw={640}>
            {t("gate.openMeaning")}
          </Alert>
        ))}
    </Stack>
  );
}
