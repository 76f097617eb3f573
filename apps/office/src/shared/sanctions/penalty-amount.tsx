import { Field } from '@duet/ui/fields/field.tsx'
import { useMost, useStaff } from '../session.tsx'
import { t } from '../texts.ts'

/** Whether the own role may take this number of coins. The server has the same rule. */
export function useMayTake(): (coins: string) => boolean {
  const { penalty_coins } = useMost()
  return (coins) => Number(coins) > 0 && (penalty_coins === null || +coins <= +penalty_coins)
}

interface PenaltyAmountProps {
  value: string
  onChange: (coins: string) => void
}

/** The coins of a penalty, with the limit of the own role and whether others may take more. */
export function PenaltyAmount({ value, onChange }: PenaltyAmountProps) {
  const { penalty_coins } = useMost()
  const isModerator = useStaff().role === 'moderator'
  const mayTake = useMayTake()
  const most = isModerator ? 'office.decide.most' : 'office.decide.most_of_one'
  const limit = penalty_coins === null ? undefined : t(most, { n: penalty_coins })
  const isWrong = value !== '' && !mayTake(value)
  return (
    <Field
      label={t('office.decide.coins')}
      inputMode="numeric"
      required
      maxLength={8}
      help={limit}
      error={isWrong ? (Number(value) > 0 && limit) || t('office.decide.no_coins') : undefined}
      value={value}
      onChange={(event) => onChange(event.target.value.replaceAll(/\D/g, ''))}
    />
  )
}
