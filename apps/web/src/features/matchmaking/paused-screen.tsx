import { PauseIcon } from '@phosphor-icons/react/dist/csr/Pause'
import { Button, Spinner } from '@duet/ui'
import { captchaView } from '../../shared/account/captcha-view.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { useCanAddMinutes } from '../../shared/queries.ts'
import { intlLocale, t } from '../../shared/i18n.ts'
import { useStore } from '../../shared/observable-store.ts'
import { OwnPicture } from '../../shared/video/screen-parts.tsx'
import { useSearchCommands } from './search-context.tsx'
import { MessageScreen } from '../../shared/video/screen-frame.tsx'
import type { PausedView } from './matchmaking-state.ts'

/** Taken out of the queue for a while: why, and until when. */
export function PausedScreen({ screen }: { screen: PausedView }) {
  const commands = useSearchCommands()
  const canAdd = useCanAddMinutes()
  if (screen.reason === 'captcha') return <CaptchaScreen />
  return (
    <MessageScreen
      pair={{
        hers: { light: 'ember', icon: <PauseIcon size={60} weight="duotone" /> },
        yours: { children: <OwnPicture dimmed /> },
      }}
      title={t('matching.paused.title')}
      text={reasonText(screen)}
      actions={
        <>
          {screen.reason === 'no_balance' && canAdd ? (
            <Button
              size={54}
              wide
              variant="primary"
              onClick={() => dialogs.open('not_balance', {})}
            >
              {t('action.add_minutes')}
            </Button>
          ) : null}
          <Button size={54} wide onClick={() => void commands.stop()}>
            {t('action.back')}
          </Button>
        </>
      }
    />
  )
}

/** The search waits for a captcha that the page solves without the user. The empty petal shows the progress. */
export function CaptchaScreen() {
  const commands = useSearchCommands()
  const view = useStore(captchaView)
  const isFailed = view?.phase === 'failed'
  const isSolving = view?.phase === 'solving'
  return (
    <MessageScreen
      pair={{
        hers: {
          light: 'ember',
          icon: isSolving ? <Spinner size="30%" /> : <PauseIcon size={60} weight="duotone" />,
        },
        yours: { children: <OwnPicture dimmed /> },
      }}
      title={t('matching.paused.captcha_title')}
      text={
        <span role="status">
          {isFailed ? t('matching.paused.captcha_failed') : t('matching.paused.captcha')}
        </span>
      }
      actions={
        <>
          {isSolving ? null : (
            <Button
              size={54}
              wide
              variant="primary"
              onClick={() => (view ? view.retry() : void commands.search())}
            >
              {t('action.retry')}
            </Button>
          )}
          <Button size={54} wide variant="outline" onClick={() => void commands.stop()}>
            {t('action.back')}
          </Button>
        </>
      }
    />
  )
}

function reasonText({ reason, until_ms }: PausedView): string {
  if (reason === 'no_balance') return t('matching.paused.no_balance')
  if (reason === 'not_connected' && until_ms !== null)
    return t('matching.paused.not_connected', { time: formatTime(until_ms, { weekday: 'long' }) })
  if (reason !== 'absence' && reason !== 'missed_offers') return t('matching.paused.text')
  if (until_ms === null) return t('matching.paused.absence_now')
  return t('matching.paused.absence', { time: formatTime(until_ms) })
}

function formatTime(at: number, options: Intl.DateTimeFormatOptions = {}): string {
  const form = { ...options, hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat(intlLocale(), form).format(at)
}
