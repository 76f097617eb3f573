import { useEffect, useRef } from 'react'
import { Button } from '@duet/ui'
import { currentLocale, t } from '../../shared/i18n.ts'
import { useAppServices } from '../../shared/app-services.tsx'

/**
 * Only the document of this page may frame the provider. So a document that was opened from another page is loaded
 * again.
 */
const OWN_DOCUMENT = /^(?:\/[a-z]{2})?\/verification\/?$/
const BEGIN = '#provider'

/** Whether the address of the page asks for the frame of the provider. */
export function isProviderAddressed(): boolean {
  return location.hash === BEGIN && isOwnDocument()
}

/**
 * The provider's own check, in its frame on this page. The frame's messages are never a verdict: the server asks the
 * provider for the verdict. An open frame stays in every state of the check, because the user may be in the middle of
 * the check.
 */
export function ProviderCheck({
  isOpen,
  setOpen,
  refresh,
  takesDocuments,
}: {
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
  refresh: () => Promise<void>
  /** Pictures may be sent to the own staff instead. */
  takesDocuments: boolean
}) {
  const { report } = useAppServices()
  const begin = () => {
    if (isOwnDocument()) return setOpen(true)
    history.replaceState(history.state, '', `${location.pathname}${BEGIN}`)
    location.reload()
  }
  return (
    <section aria-labelledby="provider-check" className="panel flex flex-col gap-4 p-5">
      <div>
        <h2 id="provider-check" className="display-s">
          {t('verification.provider.title')}
        </h2>
        <p className="body mt-1 text-text-2">
          {t(takesDocuments ? 'verification.provider.text_or_staff' : 'verification.provider.text')}
        </p>
      </div>
      {isOpen ? (
        <ProviderFrame
          onSubmitted={() => void refresh()}
          onFailed={(error) => {
            setOpen(false)
            report(error)
          }}
        />
      ) : (
        <Button variant="primary" className="self-start" onClick={begin}>
          {t('verification.provider.begin')}
        </Button>
      )}
    </section>
  )
}

function isOwnDocument(): boolean {
  const [loaded] = performance.getEntriesByType('navigation')
  return loaded !== undefined && OWN_DOCUMENT.test(new URL(loaded.name).pathname)
}

function ProviderFrame({
  onSubmitted,
  onFailed,
}: {
  onSubmitted: () => void
  onFailed: (error: unknown) => void
}) {
  const { connection } = useAppServices()
  const place = useRef<HTMLDivElement>(null)
  const handlers = useRef({ onSubmitted, onFailed })
  useEffect(() => {
    handlers.current = { onSubmitted, onFailed }
  })
  useEffect(() => {
    let isGone = false
    let destroy = () => {}
    const ask = () => connection.http.get('ss/kyc/token')
    const renew = async () => (await ask()).token
    const launch = async () => {
      const [{ default: sdk }, first] = await Promise.all([import('@sumsub/websdk'), ask()])
      if (isGone || !place.current) return
      const frame = sdk
        .init(first.token, renew)
        .withBaseUrl(first.url ?? '')
        .withConf({ lang: currentLocale() })
        .withOptions({ addViewportTag: false, adaptIframeHeight: true })
        .on('idCheck.onApplicantSubmitted', () => handlers.current.onSubmitted())
        .on('idCheck.onApplicantResubmitted', () => handlers.current.onSubmitted())
        .build()
      frame.launch(place.current)
      destroy = () => frame.destroy()
    }
    launch().catch((error: unknown) => handlers.current.onFailed(error))
    return () => {
      isGone = true
      destroy()
    }
  }, [connection])
  return <div ref={place} className="min-h-96 overflow-hidden rounded-row bg-surface-2" />
}
