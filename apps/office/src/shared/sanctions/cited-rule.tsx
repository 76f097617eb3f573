import texts from '@duet/locales/en/rules.json'
import { citedRule } from '@duet/protocol/kernel/rule-names.ts'
import { addTexts, t, textOr } from '../texts.ts'

addTexts(texts)

/** The rule that the decision cites to its user. */
export function CitedRule({ reason }: { reason: string }) {
  const rule = citedRule(reason)
  if (rule === undefined) return null
  return (
    <span className="text-text-2" title={textOr(`rules.girl.${rule}.text`, '')}>
      {t('office.statement_rule', { rule: textOr(`rules.girl.${rule}.title`, rule) })}
    </span>
  )
}
