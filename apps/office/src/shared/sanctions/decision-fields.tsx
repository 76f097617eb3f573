import type { RuleName } from '@duet/protocol'
import { banReasons, ruleNames } from '@duet/protocol/kernel/rule-names.ts'
import type { BanReason } from '@duet/protocol/kernel/sanctions.ts'
import { Select } from '@duet/ui/fields/select.tsx'
import { t, textOr } from '../texts.ts'
import { BAN_HOURS, BanLength } from './ban-length.tsx'
import { PenaltyAmount } from './penalty-amount.tsx'

/** The broken rule, and the reason of a ban. */
export interface DecisionReasons {
  readonly rule: RuleName
  readonly ban: BanReason
}

export interface DecisionValues extends DecisionReasons {
  readonly hours: string
  readonly amount: string
}

/** The values with which a decision begins. */
export const DECISION_VALUES: DecisionValues = {
  rule: 'other',
  ban: 'other',
  hours: BAN_HOURS,
  amount: '1000',
}

interface FieldsProps {
  act: string
  values: DecisionValues
  onChange: (part: Partial<DecisionValues>) => void
}

/** The reason of an act about a person, and the length of a ban or the coins of a penalty. */
export function DecisionFields({
  act,
  values: { rule, ban, hours, amount },
  onChange,
}: FieldsProps) {
  if (act === 'ban')
    return (
      <>
        <ReasonSelect names={banReasons} value={ban} onChange={(name) => onChange({ ban: name })} />
        <BanLength value={hours} onChange={(value) => onChange({ hours: value })} />
      </>
    )
  return (
    <>
      <ReasonSelect names={ruleNames} value={rule} onChange={(name) => onChange({ rule: name })} />
      {act === 'penalty' && (
        <PenaltyAmount value={amount} onChange={(value) => onChange({ amount: value })} />
      )}
    </>
  )
}

interface ReasonProps<Name extends string> {
  names: readonly Name[]
  /** Undefined while none is chosen. */
  value: Name | undefined
  onChange: (name: Name) => void
}

export function ReasonSelect<Name extends string>({ names, value, onChange }: ReasonProps<Name>) {
  return (
    <Select
      label={t('office.decide.reason')}
      placeholder={t('office.decide.choose')}
      options={names.map((name) => ({ value: name, label: textOr(`office.reason.${name}`, name) }))}
      value={value ?? null}
      onChange={onChange}
    />
  )
}
