import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Api, ApiRoutes } from "../../../../client/index.ts";
import { codesOf, wordsIn } from "../../../../../functions/_shared/words/words.ts";
import { topicWords } from "../../../../../functions/_shared/notices/notice_texts.ts";
import type { Language } from "../../../../shared/languages.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { FailureBox } from "../../components/failure_box.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { notify } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { useApi, useStore } from "../../store/store.ts";

type Choices = ApiRoutes["PUT"]["/api/notice/choices"]["request"]["body"];
type Topic = Choices["inbox"][number];

interface ChannelProps {
  title: string;
  about?: string | undefined;
  chosen: Topic[];
  onChange: (chosen: Topic[]) => void;
}

/** A way on which notices come, and the topics that come on it. */
function Channel({ title, about, chosen, onChange }: ChannelProps) {
  const { i18n } = useTranslation("notices");
  const words = wordsIn(i18n.language as Language, topicWords);
  return (
    <Section title={title}>
      <div className={layout.stack}>
        {about && <p className="weak">{about}</p>}
        {codesOf(topicWords).map((topic) => (
          <Checkbox
            key={topic}
            checked={chosen.includes(topic)}
            onChange={(isChosen) => onChange(isChosen ? [...chosen, topic] : chosen.filter((each) => each !== topic))}
          >
            {words[topic]}
          </Checkbox>
        ))}
      </div>
    </Section>
  );
}

function ChoicesForm({ saved }: { saved: Api["NoticeChoices"] }) {
  const { t, i18n } = useTranslation("notices");
  const api = useStore();
  const navigate = useNavigate();
  const [{ inbox, email, wechat }, setChosen] = useState({
    inbox: saved.inbox,
    email: saved.email,
    wechat: saved.wechat,
  });
  const choose = (channel: keyof Choices) => (chosen: Topic[]) =>
    setChosen((before) => ({ ...before, [channel]: chosen }));
  const save = useAction((body: Choices, key) => api.PUT("/api/notice/choices", { body, ...key }));
  const getsMails = saved.is_mail_set_up && saved.address !== null;
  return (
    <div className={layout.stack}>
      <FailureBox error={save.error} />
      <Channel title={t("choices.inbox")} chosen={inbox} onChange={choose("inbox")} />
      {getsMails && (
        <Channel
          title={t("choices.email")}
          about={t("choices.address", { address: saved.address })}
          chosen={email}
          onChange={choose("email")}
        />
      )}
      {saved.templates.length > 0 && (
        <Channel
          title={t("choices.wechat")}
          about={t("choices.wechatAbout")}
          chosen={wechat}
          onChange={choose("wechat")}
        />
      )}
      <Button
        block
        color="primary"
        size="large"
        shape="rounded"
        loading={save.isPending}
        onClick={() =>
          save.mutate(
            { inbox, email, wechat, language: i18n.language as Language },
            {
              onSuccess: () => {
                notify(t("choices.saved"));
                void navigate("/notices", { replace: true });
              },
            },
          )
        }
      >
        {t("choices.save")}
      </Button>
    </div>
  );
}

/** Which notices the member sees where. */
export function Component() {
  const { t } = useTranslation("notices");
  const choices = useApi("/api/notice/choices");
  return (
    <Page title={t("choices.title")} back="/notices">
      <QueryResult of={choices}>{(saved) => <ChoicesForm saved={saved} />}</QueryResult>
    </Page>
  );
}
