import { ruleNames } from '@duet/protocol/kernel/rule-names.ts'
import { t } from '../../shared/i18n.ts'
import { useOwnUser } from '../../shared/app-services.tsx'

const GUEST_RULES = [
  'respect',
  'adults',
  'own_account',
  'contacts',
  'recording',
  'money',
  'nudity',
] as const

/** The rules for the user's role. The rules for models have the ids that staff cite in their statements. */
export function RulesSection() {
  const user = useOwnUser()
  return (
    <div className="panel flex flex-col gap-5 p-5">
      <p className="body text-text-2">
        {t(user?.role === 'girl' ? 'rules.girl.lead' : 'rules.guy.lead')}
      </p>
      <ol className="flex flex-col gap-5">
        {user?.role === 'girl'
          ? ruleNames.map((id, index) => (
              <Rule
                key={id}
                id={id}
                number={index + 1}
                title={t(`rules.girl.${id}.title`)}
                text={t(`rules.girl.${id}.text`)}
              />
            ))
          : GUEST_RULES.map((id, index) => (
              <Rule
                key={id}
                id={id}
                number={index + 1}
                title={t(`rules.guy.${id}.title`)}
                text={t(`rules.guy.${id}.text`)}
              />
            ))}
      </ol>
      {user?.role === 'girl' ? (
        <p className="body text-text-2">{t('rules.girl.earnings')}</p>
      ) : null}
      <p className="note text-text-3">{t('rules.end')}</p>
    </div>
  )
}

interface RuleProps {
  id: string
  number: number
  title: string
  text: string
}

function Rule({ id, number, title, text }: RuleProps) {
  return (
    <li id={`rule-${id}`} className="flex gap-4">
      <span aria-hidden className="display-s w-7 shrink-0 text-ember-hi">
        {number}
      </span>
      <span className="min-w-0">
        <span className="title block">{title}</span>
        <span className="body mt-1 block text-text-2">{text}</span>
      </span>
    </li>
  )
}
