import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { classes } from "../../components/classes.ts";
import { Facts } from "../../components/facts.tsx";
import { TextField } from "../../components/field.tsx";
import { Form, SubmitButton } from "../../components/form.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { notify } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { DayOf } from "../../components/time.tsx";
import { useForm } from "../../components/use_form.ts";
import { useApi, useStore } from "../../store/store.ts";
import { AvatarField } from "./avatar_field.tsx";

function ProfileForm({ me }: { me: Api["Me"] }) {
  const { t } = useTranslation("members");
  const api = useStore();
  const navigate = useNavigate();
  const save = useAction((body: { nickname: string; avatar: string }, key) => api.PUT("/api/user", { body, ...key }));
  const form = useForm(
    { nickname: me.nickname, avatar: me.avatar ?? "" },
    ({ nickname, avatar }) => save.mutateAsync({ nickname: nickname.trim(), avatar: avatar.trim() }),
    () => {
      notify(t("profile.saved"));
      void navigate("/me", { replace: true });
    },
  );
  return (
    <Form of={form}>
      <div className={classes(layout.card, layout.stack)}>
        <TextField
          label={t("profile.nickname")}
          autoComplete="nickname"
          maxLength={64}
          required
          {...form.field("nickname")}
        />
        <AvatarField
          nickname={form.values.nickname}
          value={form.values.avatar}
          onChange={(avatar) => form.change({ avatar })}
        />
        <Facts
          items={[
            [t("profile.number"), me.uid],
            [t("profile.referrer"), me.spread_uid ?? t("profile.nobody")],
            [t("profile.joined"), <DayOf key="joined" value={me.add_time} />],
          ]}
        />
      </div>
      <SubmitButton of={form}>{t("profile.save")}</SubmitButton>
    </Form>
  );
}

export function Component() {
  const { t } = useTranslation("members");
  const me = useApi("/api/user");
  return (
    <Page title={t("profile.title")} back="/me">
      <QueryResult of={me}>{(shown) => <ProfileForm me={shown} />}</QueryResult>
    </Page>
  );
}
