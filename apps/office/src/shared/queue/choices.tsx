import { Button } from '@duet/ui/controls/button.tsx'
import { KeyCap } from '@duet/ui/controls/key-cap.tsx'
import { cx } from '@duet/ui/class-names.ts'
import { useKeys } from '../keys/use-keys.ts'
import { t } from '../texts.ts'

export interface Choice<Value extends string> {
  readonly value: Value
  readonly label: string
  /** Its key, where this is not its number in the list. */
  readonly key?: string
  /** It cannot be chosen: why, or who may. */
  readonly closed?: string | undefined
}

interface ChoicesProps<Value extends string> {
  label: string
  choices: readonly Choice<Value>[]
  value: Value | undefined
  onChange: (value: Value) => void
}

/** Up to nine choices, each with its key. The key of a closed choice does nothing. */
export function Choices<Value extends string>(props: ChoicesProps<Value>) {
  const { label, choices, value, onChange } = props
  useKeys(
    Object.fromEntries(
      choices.map(({ key, value: given, closed }, index) => [
        key ?? String(index + 1),
        closed === undefined ? () => onChange(given) : undefined,
      ]),
    ),
  )
  return (
    <div role="radiogroup" aria-label={label} className="flex flex-col gap-1.5">
      {choices.map((choice, index) => (
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={choice.value === value}
          disabled={choice.closed !== undefined}
          className={cx(
            'flex min-h-11 items-center gap-3 rounded-control px-3 py-1.5 text-start md:min-h-9 font-medium disabled:text-text-2',
            choice.value === value
              ? 'bg-ember-lo shadow-[inset_0_0_0_1.5px_var(--ember)]'
              : 'bg-surface-1 shadow-[inset_0_0_0_1px_var(--hair)] enabled:hover:bg-surface-2',
          )}
          onClick={() => onChange(choice.value)}
        >
          <KeyCap>{choice.key?.toUpperCase() ?? index + 1}</KeyCap> {choice.label}
          {choice.closed && (
            <span className="ms-auto max-w-[60%] text-end font-normal">{choice.closed}</span>
          )}
        </button>
      ))}
    </div>
  )
}

interface SubmitProps {
  label: string
  disabled?: boolean
  onPress: () => void
}

/** The button of a decision, also by Control and Enter. */
export function SubmitDecision({ label, disabled = false, onPress }: SubmitProps) {
  useKeys({ 'Control+Enter': disabled ? undefined : onPress })
  return (
    <div className="flex flex-col gap-2">
      <Button variant="primary" size={44} wide disabled={disabled} onClick={onPress}>
        {label} <KeyCap>Ctrl ↵</KeyCap>
      </Button>
      <p className="text-center text-text-2">{t('office.decide.kept')}</p>
    </div>
  )
}
