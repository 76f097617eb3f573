/** Adult gallery: media that verified girls marked adult, where the installation has a gallery of them. */
import type texts from '@duet/locales/en/adult-gallery.json'

export { AdultGalleryPage } from './adult-gallery-page.tsx'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    'adult-gallery': typeof texts
  }
}
