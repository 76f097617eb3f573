import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { MethodLine, MethodPreview } from '@duet/protocol'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { TextArea } from '@duet/ui/fields/text-area.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { t } from '../../shared/texts.ts'
import { RawText } from './raw-text.tsx'

const FORM_MAX = limits.payment_form_characters

interface MethodFormProps {
  line: MethodLine
  onClose: () => void
}

/** The form of a method, and what it signs. Another form can be tried before an owner sets it. */
export function MethodForm({
  line: { method, form, preview, has_preview },
  onClose,
}: MethodFormProps) {
  const given = toLines(form ?? '')
  const [text, setText] = useState(given)
  const ask = useMutation({
    mutationFn: (tried: string) =>
      api.post('v2/manager/payment-methods/preview', { method, form: tried }),
  })
  // A preview of a former text is not shown beside a changed one.
  const isAsked = ask.variables === text
  const shown = isAsked && ask.data ? ask.data : text === given ? preview : null
  return (
    <Dialog
      open
      size={640}
      onClose={onClose}
      title={t('office.method.open', { method })}
      description={t('office.method.form_text', { setting: `${method}_form` })}
      closeLabel={t('action.close')}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          ask.mutate(text)
        }}
      >
        <TextArea
          dir="ltr"
          style={{ fontFamily: 'monospace' }}
          label={t('office.method.json')}
          rows={8}
          maxLength={FORM_MAX}
          spellCheck={false}
          readOnly={!has_preview}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {has_preview ? (
          <Button
            type="submit"
            size={44}
            variant="primary"
            disabled={text.trim() === ''}
            busy={ask.isPending}
          >
            {t('office.method.preview')}
          </Button>
        ) : (
          <Banner>{t('office.method.no_credentials')}</Banner>
        )}
        {isAsked && ask.error && <Banner tone="danger">{errorSentence(ask.error)}</Banner>}
        <div role="status" className="flex flex-col gap-4">
          {shown && <Preview shown={shown} />}
        </div>
      </form>
    </Dialog>
  )
}

/** The text of JSON in lines, unless it becomes too long by that. */
function toLines(form: string): string {
  try {
    const lines = JSON.stringify(JSON.parse(form), undefined, 2)
    return lines.length > FORM_MAX ? form : lines
  } catch {
    return form
  }
}

function Preview({ shown: { mistakes, signed, url } }: { shown: MethodPreview }) {
  if (mistakes.length > 0)
    return (
      <section className="flex flex-col gap-2">
        <h3 className="font-medium">{t('office.method.mistakes')}</h3>
        <ul dir="ltr" className="flex list-disc flex-col gap-1 ps-5 text-start">
          {mistakes.map((mistake) => (
            <li key={mistake} className="break-words">
              {mistake}
            </li>
          ))}
        </ul>
      </section>
    )
  return (
    <>
      <RawText title={t('office.method.signed')} text={signed} />
      <RawText title={t('office.method.url')} text={url} />
      <p className="text-text-2">{t('office.method.secrets')}</p>
    </>
  )
}
