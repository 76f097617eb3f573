import { useState } from 'react'
import { CheckCircleIcon } from '@phosphor-icons/react/dist/csr/CheckCircle'
import { CircleIcon } from '@phosphor-icons/react/dist/csr/Circle'
import { EyeIcon } from '@phosphor-icons/react/dist/csr/Eye'
import { EyeSlashIcon } from '@phosphor-icons/react/dist/csr/EyeSlash'
import { cx } from '../class-names.ts'
import { Field, type FieldProps } from './field.tsx'

export type PasswordFieldProps = Omit<FieldProps, 'type' | 'end'> & {
  showLabel: string
  hideLabel: string
  /** A rule that is ticked off while the user types, before it becomes an error. */
  check?: { text: string; passed: boolean }
}

/** A password field whose content can be shown. */
export function PasswordField({ showLabel, hideLabel, check, help, ...field }: PasswordFieldProps) {
  const [shown, show] = useState(false)
  const EyeNow = shown ? EyeSlashIcon : EyeIcon
  const tick = check ? (
    <span className={cx('flex items-center gap-1.5', check.passed ? 'text-ok' : 'text-text-3')}>
      {check.passed ? <CheckCircleIcon weight="fill" size={16} /> : <CircleIcon size={16} />}
      {check.text}
    </span>
  ) : undefined
  return (
    <Field
      {...field}
      help={tick ?? help}
      type={shown ? 'text' : 'password'}
      autoCapitalize="off"
      spellCheck={false}
      end={
        <button
          type="button"
          aria-label={shown ? hideLabel : showLabel}
          onClick={() => show(!shown)}
          className="hit inline-flex size-10 shrink-0 items-center justify-center rounded-full text-text-2 hover:text-text focus-visible:outline-offset-0"
        >
          <EyeNow size={20} />
        </button>
      }
    />
  )
}
