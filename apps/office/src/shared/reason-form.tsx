import { useState } from 'react'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { Field } from '@duet/ui/fields/field.tsx'
import { errorSentence } from './api.ts'

interface ReasonFormProps {
  label: string
  help?: string
  press: string
  isBusy: boolean
  error?: unknown
  /** The form is all that its dialog has. */
  autoFocus?: boolean
  onSubmit: (reason: string) => void
}

/** One line with the reason of an act, and the button that does it. */
export function ReasonForm(props: ReasonFormProps) {
  const { label, help, press, isBusy, error, autoFocus, onSubmit } = props
  const [text, setText] = useState('')
  const reason = text.trim()
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason !== '') onSubmit(reason)
      }}
    >
      {Boolean(error) && (
        <Banner className="w-full" tone="danger">
          {errorSentence(error)}
        </Banner>
      )}
      <Field
        className="min-w-[220px] flex-1"
        label={label}
        help={help}
        required
        autoFocus={autoFocus}
        maxLength={500}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" size={44} variant="secondary" disabled={reason === ''} busy={isBusy}>
        {press}
      </Button>
    </form>
  )
}
