import type { DeskStatement } from '@duet/protocol'
import { t, textOr } from '../texts.ts'
import './sanction-texts.ts'

type Named = Pick<DeskStatement, 'kind' | 'amount' | 'place'>

/** The kind of a decision; of a penalty also the coins, and the place where the rule was broken. */
export function statementName({ kind, amount, place }: Named): string {
  const name = textOr(`office.statement.${kind}`, kind)
  if (amount === null || place === null) return name
  return t('office.sanctions.penalty', {
    kind: name,
    amount,
    place: textOr(`office.place.${place}`, place),
  })
}
