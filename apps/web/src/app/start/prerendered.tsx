import { StaticRouter } from 'react-router'
import { persistence } from '@duet/client'
import { getDirection, type Locale } from '@duet/protocol/kernel/locales.ts'
import { prerender } from 'react-dom/static'
import { activate, t } from '../../shared/i18n.ts'
import { ApplicationFrame, createEarlyServices } from '../application.tsx'
import { FIRST_ROUTE_TEXTS } from './first-route.ts'
import { AppLayout } from '../layout/app-layout.tsx'

export { translatedLocales } from '../../shared/i18n.ts'

/** The page says this when the application cannot be loaded. */
export interface LoadFailureTexts {
  title: string
  text: string
  reload: string
}

interface PrerenderedLanding {
  html: string
  title: string
  description: string
  failure: LoadFailureTexts
}

/**
 * The application as a visitor sees it first, in one language and without data. The build writes this state into the
 * page, and the application hydrates it.
 */
export async function prerenderLanding(locale: Locale): Promise<PrerenderedLanding> {
  await activate(locale, [...FIRST_ROUTE_TEXTS, 'system'])
  const { services, runtime } = createEarlyServices(persistence())
  const { prelude } = await prerender(
    <ApplicationFrame services={services} runtime={runtime} direction={getDirection(locale)}>
      <StaticRouter basename={`/${locale}`} location={`/${locale}/`}>
        <AppLayout />
      </StaticRouter>
    </ApplicationFrame>,
    // A larger part would be sent hidden, with a script that shows it later.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  )
  return {
    html: await new Response(prelude).text(),
    title: t('app.title'),
    description: t('landing.lead'),
    failure: {
      title: t('system.chunk_failure'),
      text: t('system.chunk_failure_text'),
      reload: t('system.reload'),
    },
  }
}
