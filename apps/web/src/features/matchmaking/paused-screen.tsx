import { PauseIcon } from '@phosphor-icons/react/dist/csr/Pause'
import { Button } from '@duet/ui'
import { intlLocale, t } from '../../shared/i18n.ts'
import { OwnPicture } from '../../shared/video/screen-parts.tsx'
import { useSearchCommands } from './search-context.tsx'
import { MessageScreen } from '../../shared/video/screen-frame.tsx'
import type { PausedView } from './matchmaking-state.ts'

/** Taken out of the queue for a while: why, and until when. */
export function PausedScreen({ screen }: { screen: PausedView }) {
  const commands = useSearchCommands()
  return (
    <MessageScreen
      pair={{
        hers: { light: 'ember', icon: <PauseIcon size={60} weight="duotone" /> },
        yours: { children: <OwnPicture dimmed /> },
      }}
      title={t('matching.paused.title')}
      text={reasonText(screen)}
      actions={
        <Button size={54} wide onClick={() => void commands.stop()}>
          {t('matching.paused.back')}
        </Button>
      }
    />
  )
}

function reasonText({ reason, until_ms }: PausedView): string {
  if (reason === 'no_balance' || reason === 'captcha') return t(`matching.paused.${reason}`)
  if (reason !== 'absence' && reason !== 'missed_offers') return t('matching.paused.text')
  if (until_ms === null) return t('matching.paused.absence_now')
  const time = new Intl.DateTimeFormat(intlLocale(), { hour: '2-digit', minute: '2-digit' }).format(
    until_ms,
  )
  return t('matching.paused.absence', { time })
}
