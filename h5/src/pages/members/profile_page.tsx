import { Button } from "antd-mobile";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { failureOf } from "../../../../web/failure.ts";
import { useAction } from "../../../../web/use_action.ts";
import { Facts } from "../../components/facts.tsx";
import { FailureBox } from "../../components/failure_box.tsx";
import { TextField } from "../../components/field.tsx";
import { notify } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { DayOf } from "../../components/time.tsx";
import { useApi, useStore } from "../../store/store.tsx";

function ProfileForm({ me }: { me: Api["Me"] }) {
  const { t } = useTranslation("members");
  const api = useStore();
  const navigate = useNavigate();
  const [nickname, setNickname] = useState(me.nickname);
  const [avatar, setAvatar] = useState(me.avatar ?? "");
  const save = useAction((body: { nickname: string; avatar: string }, key) => api.PUT("/api/user", { body, ...key }));
  const { fields } = save.error ? failureOf(save.error) : { fields: {} as Record<string, string> };
  const submit = () =>
    save.mutate(
      { nickname: nickname.trim(), avatar: avatar.trim() },
      {
        onSuccess: () => {
          notify(t("profile.saved"));
          void navigate("/me", { replace: true });
        },
      },
    );
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FailureBox error={save.error} />
      <div className="card stack">
        <TextField
          label={t("profile.nickname")}
          name="nickname"
          autoComplete="nickname"
          maxLength={64}
          required
          value={nickname}
          error={fields.nickname}
          onChange={({ target }) => setNickname(target.value)}
        />
        <TextField
          label={t("profile.avatar")}
          hint={t("profile.avatarHint")}
          name="avatar"
          type="url"
          maxLength={512}
          value={avatar}
          error={fields.avatar}
          onChange={({ target }) => setAvatar(target.value)}
        />
        <Facts
          items={[
            [t("profile.number"), me.uid],
            [t("profile.referrer"), me.spread_uid ?? t("profile.nobody")],
            [t("profile.joined"), <DayOf key="joined" value={me.add_time} />],
          ]}
        />
      </div>
      <Button block type="submit" color="primary" size="large" shape="rounded" loading={save.isPending}>
        {t("profile.save")}
      </Button>
    </form>
  );
}

export function Component() {
  const { t } = useTranslation("members");
  const me = useApi().useQuery("get", "/api/user");
  return (
    <Page title={t("profile.title")} back="/me">
      <QueryResult of={me}>{(shown) => <ProfileForm me={shown} />}</QueryResult>
    </Page>
  );
}
