import { lazy, type ComponentType } from 'react'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { t } from '../shared/texts.ts'

/** A page in a script file of its own, which is loaded when the page is opened for the first time. */
export function lazyPage<Module, Props = object>(
  load: () => Promise<Module>,
  pick: (from: Module) => ComponentType<Props>,
): ComponentType<Props> {
  return lazy(() =>
    load().then(
      (from) => ({ default: pick(from) }),
      () => ({ default: NotLoaded }),
    ),
  )
}

/** The file is gone with a new version of the office, or the network is down. */
function NotLoaded() {
  return (
    <Banner
      tone="danger"
      action={
        <Button size={30} variant="outline" onClick={() => location.reload()}>
          {t('action.retry')}
        </Button>
      }
    >
      {t('office.error.no_answer')}
    </Banner>
  )
}
