import { useState } from 'react'
import { encode } from 'uqr'
import { Button, Field } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { RefusedError, useAppServices } from '../../../shared/app-services.tsx'
import { useSentenceFocus } from '../../../shared/account/wrong-field-focus.ts'
import { onSubmit, usePress } from '../../../shared/controls/use-press.ts'
import { toLatinDigits } from '../../../shared/texts/latin-digits.ts'

interface AppSetupProps {
  readonly secret: string
  readonly url: string
  readonly onDone: (spareCodes: readonly string[]) => void
  readonly onCancel: () => void
}

/** Shows the secret for an authenticator app, and takes its first code. */
export function AppSetup({ secret, url, onDone, onCancel }: AppSetupProps) {
  const { connection } = useAppServices()
  const [otp, setOtp] = useState('')
  const { busy, sentence, press, clear } = usePress(
    async () => {
      const { spare_codes } = await connection.http.post('auth/totp/verify', { otp: otp.trim() })
      onDone(spare_codes)
    },
    (error) =>
      error instanceof RefusedError && error.refusal === 'second_factor' && t('factor.wrong'),
  )
  const form = useSentenceFocus<HTMLFormElement>(sentence)

  return (
    <form
      ref={form}
      noValidate
      className="panel flex flex-col gap-4 p-5"
      onSubmit={onSubmit(press)}
    >
      <p className="body text-text-2">{t('factor.scan')}</p>
      <QrCode text={url} />
      <a href={url} className="hit note self-start text-ember-hi underline">
        {t('factor.open_app')}
      </a>
      <p className="note text-text-3">{t('factor.type_secret')}</p>
      <code dir="ltr" className="ui break-all text-text select-all">
        {secret.match(/.{1,4}/g)?.join(' ')}
      </code>
      <Field
        label={t('factor.code')}
        dir="ltr"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={16}
        value={otp}
        error={sentence}
        onChange={(event) => {
          setOtp(toLatinDigits(event.currentTarget.value))
          clear()
        }}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" busy={busy} disabled={!otp.trim()}>
          {t('action.turn_on')}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {t('action.cancel')}
        </Button>
      </div>
    </form>
  )
}

/** The white edge without which cameras do not find the code. */
const QUIET_MODULES = 4

/** Dark on white in every theme: cameras read it best so. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: QUIET_MODULES })
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      role="img"
      aria-label={t('factor.qr')}
      viewBox={`0 0 ${size} ${size}`}
      className="size-48 self-start rounded-tag"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="white" />
      <path d={path} fill="black" />
    </svg>
  )
}

/** The spare codes, which the server does not show again. */
export function SpareCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <div className="panel flex flex-col gap-4 p-5" role="status">
      <p className="body text-text">{t('factor.on_now')}</p>
      <p className="note text-text-2">{t('factor.spare_help')}</p>
      <ul dir="ltr" className="ui grid grid-cols-2 gap-2 text-text select-all">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Button variant="secondary" className="self-start" onClick={onDone}>
        {t('factor.spare_saved')}
      </Button>
    </div>
  )
}
