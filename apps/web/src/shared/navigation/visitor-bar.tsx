import { Link } from 'react-router'
import { Button, Wordmark } from '@duet/ui'
import { dialogs } from '../dialogs.ts'
import { t } from '../i18n.ts'

/** Above a page that is open to visitors: where they are, and how they get in. */
export function VisitorBar() {
  return (
    <div className="flex min-h-11 items-center gap-2.5">
      <Link to="/" aria-label={t('app.home', { name: t('app.name') })} className="hit">
        <Wordmark name={t('app.name')} size={28} />
      </Link>
      <span className="flex-1" />
      <Button variant="quiet" onClick={() => dialogs.open('login', {})}>
        {t('action.log_in')}
      </Button>
      <Button className="max-md:hidden" onClick={() => dialogs.open('register', {})}>
        {t('action.create_account')}
      </Button>
    </div>
  )
}
