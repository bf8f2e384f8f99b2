ALTER TABLE "app"."agent_levels"
  DROP CONSTRAINT "points_are_not_negative";

ALTER TABLE "app"."commission_plans"
  DROP CONSTRAINT "points_per_brokerage_is_between_0_and_1000";

ALTER TABLE "app"."agent_levels"
  ADD CONSTRAINT "direct_points_are_between_0_and_a_million" CHECK (((direct_points >= (0)::numeric) AND (direct_points <= (1000000)::numeric)));

ALTER TABLE "app"."agent_levels"
  ADD CONSTRAINT "umbrella_points_are_between_0_and_a_million" CHECK (((umbrella_points >= (0)::numeric) AND (umbrella_points <= (1000000)::numeric)));

ALTER TABLE "app"."commission_plans"
  ADD CONSTRAINT "points_per_brokerage_is_between_0_and_100" CHECK (((points_per_brokerage >= (0)::numeric) AND (points_per_brokerage <= (100)::numeric)));
