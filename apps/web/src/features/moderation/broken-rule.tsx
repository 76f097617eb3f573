import type { Statement } from '@duet/protocol'
import { t } from '../../shared/i18n.ts'
import { useOwnUser } from '../../shared/app-services.tsx'

/** The rules for guys behind the names that statements cite, which are those of the rules for girls. */
const RULES_OF_GUYS = {
  only_herself: 'own_account',
  nudity_public: 'nudity',
  multiple_accounts: 'own_account',
  foreign_account: 'own_account',
  asking_money: 'money',
  contacts: 'contacts',
  bots_recordings: 'own_account',
  third_parties: 'adults',
  ignoring: undefined,
  absence: undefined,
  harassment: 'respect',
  other: undefined,
} as const

/** The rule that a decision cites, in the words of the rules for the user's role. */
export function BrokenRule({ rule }: { rule: Statement['rule'] }) {
  return rule === undefined ? null : <RuleOfRole rule={rule} />
}

function RuleOfRole({ rule }: { rule: NonNullable<Statement['rule']> }) {
  const role = useOwnUser()?.role
  if (role === 'girl')
    return <RuleText title={t(`rules.girl.${rule}.title`)} text={t(`rules.girl.${rule}.text`)} />
  const own = RULES_OF_GUYS[rule]
  if (own === undefined) return null
  return <RuleText title={t(`rules.guy.${own}.title`)} text={t(`rules.guy.${own}.text`)} />
}

function RuleText({ title, text }: { title: string; text: string }) {
  return (
    <p className="note mt-2 text-text-2">
      {t('statements.rule', { title })} {text}
    </p>
  )
}
