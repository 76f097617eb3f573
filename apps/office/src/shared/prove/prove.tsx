import { createContext, useContext, useRef, useState, type ReactNode } from 'react'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { Field } from '@duet/ui/fields/field.tsx'
import { PasswordField } from '@duet/ui/fields/password-field.tsx'
import { api, isRefused, errorSentence } from '../api.ts'
import { answerByPasskey } from '../passkeys.ts'
import { t } from '../texts.ts'

interface Proof {
  /** Makes a call; where it needs a fresh proof, asks for it and makes the call again. */
  with<T>(call: () => Promise<T>): Promise<T>
}

const ProofContext = createContext<Proof | undefined>(undefined)

export function useProof(): Proof {
  const proof = useContext(ProofContext)
  if (!proof) throw new Error('Impossible: the frame has the question for the proof around it')
  return proof
}

/** The question for a fresh proof of the own factors, before acts on money, documents and staff. */
export function ProofProvider({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const answers = useRef<((isProven: boolean) => void)[]>([])
  const end = (isProven: boolean) => {
    setOpen(false)
    for (const answer of answers.current.splice(0)) answer(isProven)
  }
  const proof: Proof = {
    async with(call) {
      try {
        return await call()
      } catch (error) {
        if (!isRefused(error, 'second_factor')) throw error
        setOpen(true)
        const isProven = await new Promise<boolean>((resolve) => answers.current.push(resolve))
        if (!isProven) throw error
        return call()
      }
    },
  }
  return (
    <ProofContext value={proof}>
      {children}
      {isOpen && <ProofDialog onEnd={end} />}
    </ProofContext>
  )
}

function ProofDialog({ onEnd }: { onEnd: (isProven: boolean) => void }) {
  const [password, setPassword] = useState('')
  const [otp, setOtp] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const prove = async (way: 'code' | 'passkey') => {
    setBusy(true)
    try {
      const passkey = way === 'passkey' ? await answerByPasskey() : undefined
      if (way === 'passkey' && !passkey) return
      await api.post('v2/manager/prove', passkey ? { passkey } : { password, otp })
      onEnd(true)
    } catch (refused) {
      setError(refused)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={() => onEnd(false)}
      title={t('office.prove.title')}
      description={t('office.prove.text')}
      closeLabel={t('action.close')}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void prove('code')
        }}
      >
        <PasswordField
          label={t('word.password')}
          showLabel={t('office.password.show')}
          hideLabel={t('office.password.hide')}
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Field
          label={t('office.sign_in.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={11}
          value={otp}
          onChange={(event) => setOtp(event.target.value)}
        />
        {error !== null && <Banner tone="danger">{errorSentence(error)}</Banner>}
        <Button type="submit" variant="primary" size={44} wide busy={isBusy}>
          {t('action.continue')}
        </Button>
        <Button variant="secondary" size={44} wide onClick={() => void prove('passkey')}>
          {t('office.sign_in.passkey')}
        </Button>
      </form>
    </Dialog>
  )
}
