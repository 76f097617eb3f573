import texts from '@duet/locales/en/office-bulk.json'
import { addTexts } from '../../shared/texts.ts'

addTexts(texts)
