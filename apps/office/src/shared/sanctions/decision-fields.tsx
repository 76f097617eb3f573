import type { RuleName } from '@duet/protocol'
import { banReasons, ruleNames } from '@duet/protocol/kernel/rule-names.ts'
import type { BanReason } from '@duet/protocol/kernel/sanctions.ts'
import { KeyCap } from '@duet/ui/controls/key-cap.tsx'
import { Select } from '@duet/ui/fields/select.tsx'
import { useKeys } from '../keys/use-keys.ts'
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

/**
 * The key of each reason, the same in every list. The letters of the page around, such as J for the next case, are not
 * among them.
 */
const REASON_KEYS: Readonly<Record<RuleName | BanReason, string>> = {
  absence: 'a',
  asking_money: 'g',
  bad_connection: 'q',
  bots_recordings: 'v',
  child: 'y',
  contacts: 'c',
  foreign_account: 'f',
  harassment: 'h',
  ignoring: 'i',
  multiple_accounts: 'm',
  no_attention: 'i',
  nudity: 'd',
  nudity_public: 'd',
  only_herself: 'l',
  other: 'o',
  sexual_actions: 's',
  third_parties: 'w',
  video_material: 'v',
}

interface FieldsProps {
  act: string
  isOnPage?: boolean
  values: DecisionValues
  onChange: (part: Partial<DecisionValues>) => void
}

/**
 * The reason of an act about a person, and the length of a ban or the coins of a penalty. On a page their keys choose;
 * in a dialog no key of the page acts.
 */
export function DecisionFields({
  act,
  isOnPage = false,
  values: { rule, ban, hours, amount },
  onChange,
}: FieldsProps) {
  if (act === 'ban')
    return (
      <>
        <ReasonSelect
          names={banReasons}
          hasKeys={isOnPage}
          value={ban}
          onChange={(name) => onChange({ ban: name })}
        />
        <BanLength value={hours} onChange={(value) => onChange({ hours: value })} />
      </>
    )
  return (
    <>
      <ReasonSelect
        names={ruleNames}
        hasKeys={isOnPage}
        value={rule}
        onChange={(name) => onChange({ rule: name })}
      />
      {act === 'penalty' && (
        <PenaltyAmount value={amount} onChange={(value) => onChange({ amount: value })} />
      )}
    </>
  )
}

interface ReasonProps<Name extends string> {
  names: readonly Name[]
  /** Each reason shows its key in the list, and the key chooses it. */
  hasKeys?: boolean
  /** Undefined while none is chosen. */
  value: Name | undefined
  onChange: (name: Name) => void
}

export function ReasonSelect<Name extends RuleName | BanReason>(props: ReasonProps<Name>) {
  const { names, hasKeys = false, value, onChange } = props
  const keyed = hasKeys ? names : []
  useKeys(Object.fromEntries(keyed.map((name) => [REASON_KEYS[name], () => onChange(name)])))
  return (
    <Select
      label={t('office.decide.reason')}
      placeholder={t('office.decide.choose')}
      options={names.map((name) => ({
        value: name,
        label: textOr(`office.reason.${name}`, name),
        icon: hasKeys ? <KeyCap>{REASON_KEYS[name].toUpperCase()}</KeyCap> : undefined,
      }))}
      value={value ?? null}
      onChange={onChange}
    />
  )
}
