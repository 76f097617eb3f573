import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { Link } from 'react-router'
import { buttonLook } from '@duet/ui'
import { t } from '../i18n.ts'

/** The way out of an empty list. */
export function StartChatLink() {
  return (
    <Link to="/" className={buttonLook({ variant: 'primary' })}>
      <VideoCameraIcon size={20} weight="fill" className="mirror" />
      {t('action.start_chat')}
    </Link>
  )
}
