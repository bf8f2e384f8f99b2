import { Alert, Anchor, Button, Image, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Shuffle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type Api, unwrap } from "../../../../client/index.ts";
import { articleHtml } from "../../../../web/article_html.ts";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { useStore } from "../../store/store.ts";

type Article = Api["Article"];

function ArticleCard({ article: { title, author, image_input, synopsis, content, url } }: { article: Article }) {
  const { t } = useTranslation("articles");
  return (
    <Paper withBorder p="md" maw={480}>
      <Stack gap="sm">
        {image_input && <Image src={image_input} alt="" radius="sm" mah={220} />}
        <Title order={2}>{title}</Title>
        {author && (
          <Text size="sm" c="dimmed">
            {t("gate.by", { author })}
          </Text>
        )}
        {synopsis && <Text size="sm">{synopsis}</Text>}
        {/* Without scripts, forms and the origin of the console, so that no content can do anything. */}
        {content && (
          <iframe
            title={t("gate.frame")}
            sandbox=""
            srcDoc={articleHtml(content)}
            style={{ width: "100%", height: 320, border: 0, background: "white" }}
          />
        )}
        {url && (
          <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm">
            {url}
          </Anchor>
        )}
      </Stack>
    </Paper>
  );
}

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
      <Button variant="default" leftSection={<Shuffle size={16} aria-hidden />} loading={isFetching} onClick={() => void refetch()}>
        {t("gate.draw")}
      </Button>
      <FailureAlert error={error} onRetry={() => void refetch()} />
      {data &&
        (data.article ? (
          <ArticleCard article={data.article} />
        ) : (
          <Alert color="blue" title={t("gate.open")} maw={640}>
            {t("gate.openMeaning")}
          </Alert>
        ))}
    </Stack>
  );
}
