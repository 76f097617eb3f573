import { DirectionProvider } from '@duet/ui'
import { directionOf, type Locale } from '@duet/protocol/kernel/locales.ts'
import { prerender } from 'react-dom/static'
import { Landing } from '../features/landing/index.ts'
import { FIRST_ROUTE_TEXTS } from './first-route.ts'
import { activate, t } from '../shared/i18n.ts'

const nothing = () => {}

/** The landing page of a language before any data is known: the build writes it into the page. */
export async function prerenderLanding(
  locale: Locale,
): Promise<{ html: string; title: string; description: string }> {
  await activate(locale, FIRST_ROUTE_TEXTS)
  const { prelude } = await prerender(
    <DirectionProvider direction={directionOf(locale)}>
      <Landing
        path={`/${locale}/`}
        base={`/${locale}`}
        busy={false}
        onStart={nothing}
        onLogin={nothing}
        onRegister={nothing}
        onLanguage={nothing}
      />
    </DirectionProvider>,
  )
  return {
    html: await new Response(prelude).text(),
    title: t('app.title'),
    description: t('landing.lead'),
  }
}
