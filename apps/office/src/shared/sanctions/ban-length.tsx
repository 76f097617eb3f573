import { Select } from '@duet/ui/fields/select.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { useMost } from '../session.tsx'
import { t, textOr } from '../texts.ts'

/** Hours of a ban; 0: permanently. */
const LENGTHS = ['1', '24', '72', '168', '720', '0']
/** The length that is proposed. */
export const BAN_HOURS = '24'

export function lengthName(hours: string): string {
  return textOr(`office.ban_hours.${hours}`, hours)
}

/** The length as `ban/impose` and the decisions of queues take it. */
export function banLength(hours: string): { until: null } | { hours: number } {
  return hours === '0' ? { until: null } : { hours: Number(hours) }
}

interface BanLengthProps {
  value: string
  onChange: (hours: string) => void
}

/** The length of a ban, also by the arrow keys. What is above the own role is shown, with who may choose it. */
export function BanLength({ value, onChange }: BanLengthProps) {
  const { ban_days } = useMost()
  const isAbove = (hours: string) =>
    ban_days !== null && (hours === '0' || Number(hours) > ban_days * 24)
  const permitted = LENGTHS.filter((hours) => !isAbove(hours))
  const move = (by: number) => {
    const next = permitted[permitted.indexOf(value) + by]
    if (next !== undefined) onChange(next)
  }
  useKeys({ ArrowDown: () => move(1), ArrowUp: () => move(-1) })
  return (
    <Select
      label={t('office.sanctions.length')}
      help={ban_days === null ? undefined : t('office.decide.longer')}
      options={LENGTHS.map((hours) => ({
        value: hours,
        label: lengthName(hours),
        disabled: isAbove(hours),
      }))}
      value={value}
      onChange={onChange}
    />
  )
}
