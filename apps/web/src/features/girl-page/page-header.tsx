import { Link } from 'react-router'
import { Button, Wordmark } from '@duet/ui'
import { useAuthStatus } from '../../shared/account/auth-status.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { useFrame } from '../../shared/frame.tsx'
import { t } from '../../shared/i18n.ts'

/** Members have the frame of their other pages. A visitor, who came by a link, finds out where he is and how he gets in. */
export function PageHeader() {
  const { header_end } = useFrame()
  if (useAuthStatus() !== 'guest')
    return <header className="flex min-h-11 justify-end">{header_end}</header>
  return (
    <header className="flex min-h-11 items-center gap-2.5">
      <Link to="/" aria-label={t('girl.home')} className="hit">
        <Wordmark name={t('app.name')} size={28} />
      </Link>
      <span className="flex-1" />
      <Button variant="quiet" onClick={() => dialogs.open('login', {})}>
        {t('action.log_in')}
      </Button>
      <Button className="max-md:hidden" onClick={() => dialogs.open('register', {})}>
        {t('action.create_account')}
      </Button>
    </header>
  )
}
