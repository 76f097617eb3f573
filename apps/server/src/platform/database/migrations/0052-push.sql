-- The browsers that take push messages: one for each login. The address is a capability that the browser's vendor has made.
create table push_subscriptions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  login_id bigint not null unique references logins (id) on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  at timestamptz not null
);
create index push_subscriptions_of on push_subscriptions (user_id);
create index push_subscriptions_at on push_subscriptions (at);
