import { Specification } from '../specification'
import acxAudiobook from './audio/acx_audiobook.json'
import applePodcastsArtwork from './audio/apple_podcasts_artwork.json'
import applePodcastsAudio from './audio/apple_podcasts_audio.json'
import spotifyCoverArt from './audio/spotify_cover_art.json'
import spotifyMusic from './audio/spotify_music.json'
import aribTrB32 from './broadcast/arib_tr_b32.json'
import atscA85 from './broadcast/atsc_a85.json'
import clearcastLibrary from './broadcast/clearcast_library.json'
import ebuR103 from './broadcast/ebu_r103.json'
import ebuR128 from './broadcast/ebu_r128.json'
import ebuR128S1 from './broadcast/ebu_r128_s1.json'
import ebuTech3299S1 from './broadcast/ebu_tech3299_s1.json'
import ebuTech3299S2 from './broadcast/ebu_tech3299_s2.json'
import ebuTech3299S3 from './broadcast/ebu_tech3299_s3.json'
import ebuTech3299S4 from './broadcast/ebu_tech3299_s4.json'
import honeycombUkCommercial from './broadcast/honeycomb_uk_commercial.json'
import ituBt1702 from './broadcast/itu_bt1702.json'
import cm360Html5 from './display/cm360_html5.json'
import cm360Image from './display/cm360_image.json'
import dv360Html5 from './display/dv360_html5.json'
import dv360Image from './display/dv360_image.json'
import googleAdsHtml5 from './display/google_ads_html5.json'
import googleAdsLandscapeImage from './display/google_ads_landscape_image.json'
import googleAdsLandscapeLogo from './display/google_ads_landscape_logo.json'
import googleAdsSquareImage from './display/google_ads_square_image.json'
import googleAdsSquareLogo from './display/google_ads_square_logo.json'
import googleAdsUploadedImage from './display/google_ads_uploaded_image.json'
import iabBillboard from './display/iab_billboard.json'
import iabButton from './display/iab_button.json'
import iabHalfPage from './display/iab_half_page.json'
import iabLeaderboard from './display/iab_leaderboard.json'
import iabMediumRectangle from './display/iab_medium_rectangle.json'
import iabPortrait from './display/iab_portrait.json'
import iabSkyscraper from './display/iab_skyscraper.json'
import iabSmartphoneBanner from './display/iab_smartphone_banner.json'
import iabSuperLeaderboard from './display/iab_super_leaderboard.json'
import gwg2015MagazineAdsCmyk from './print/gwg2015_magazine_ads_cmyk.json'
import gwg2015NewspaperAdsCmyk from './print/gwg2015_newspaper_ads_cmyk.json'
import pdfX1a2001 from './print/pdf_x_1a_2001.json'
import pdfX1a2003 from './print/pdf_x_1a_2003.json'
import pdfX32002 from './print/pdf_x_3_2002.json'
import pdfX32003 from './print/pdf_x_3_2003.json'
import pdfX4 from './print/pdf_x_4.json'
import linkedinSingleImage from './social/linkedin_single_image.json'
import linkedinVideo from './social/linkedin_video.json'
import metaFeedImage from './social/meta_feed_image.json'
import metaFeedVideo from './social/meta_feed_video.json'
import metaLinkPreview from './social/meta_link_preview.json'
import metaReelsVideo from './social/meta_reels_video.json'
import metaStoriesImage from './social/meta_stories_image.json'
import pinterestImage from './social/pinterest_image.json'
import pinterestVideo from './social/pinterest_video.json'
import snapchatImage from './social/snapchat_image.json'
import snapchatVideo from './social/snapchat_video.json'
import tiktokInFeedVideo from './social/tiktok_in_feed_video.json'
import xImage from './social/x_image.json'
import xVideo from './social/x_video.json'
import appStoreIpad13 from './store/app_store_ipad_13.json'
import appStoreIphone69 from './store/app_store_iphone_69.json'
import appStorePreviewIphone from './store/app_store_preview_iphone.json'
import googleMerchantImage from './store/google_merchant_image.json'
import googlePlayFeatureGraphic from './store/google_play_feature_graphic.json'
import googlePlayIcon from './store/google_play_icon.json'
import googlePlayPhoneScreenshot from './store/google_play_phone_screenshot.json'
import kdpEbookCover from './store/kdp_ebook_cover.json'
import amazonPrimeVideoUs from './streaming/amazon_prime_video_us.json'
import amazonTwitchFireTvUs from './streaming/amazon_twitch_fire_tv_us.json'
import googleAdsBumper from './streaming/google_ads_bumper.json'
import netflixSoundMix from './streaming/netflix_sound_mix.json'
import youtubeBanner from './streaming/youtube_banner.json'
import youtubeThumbnail from './streaming/youtube_thumbnail.json'
import youtubeVideo from './streaming/youtube_video.json'
import wcag22Video from './web/wcag_22_video.json'

const DOCUMENTS: readonly unknown[] = [
  ebuR103,
  ebuR128,
  ebuR128S1,
  atscA85,
  aribTrB32,
  ebuTech3299S1,
  ebuTech3299S2,
  ebuTech3299S3,
  ebuTech3299S4,
  ituBt1702,
  clearcastLibrary,
  honeycombUkCommercial,
  wcag22Video,
  amazonPrimeVideoUs,
  amazonTwitchFireTvUs,
  netflixSoundMix,
  youtubeVideo,
  googleAdsBumper,
  youtubeThumbnail,
  youtubeBanner,
  googleAdsLandscapeImage,
  googleAdsSquareImage,
  googleAdsSquareLogo,
  googleAdsLandscapeLogo,
  googleAdsUploadedImage,
  googleAdsHtml5,
  cm360Html5,
  cm360Image,
  dv360Image,
  dv360Html5,
  iabMediumRectangle,
  iabLeaderboard,
  iabSkyscraper,
  iabHalfPage,
  iabSuperLeaderboard,
  iabBillboard,
  iabPortrait,
  iabSmartphoneBanner,
  iabButton,
  googleMerchantImage,
  metaFeedImage,
  metaFeedVideo,
  metaStoriesImage,
  metaReelsVideo,
  metaLinkPreview,
  tiktokInFeedVideo,
  snapchatVideo,
  snapchatImage,
  linkedinVideo,
  linkedinSingleImage,
  xImage,
  xVideo,
  pinterestImage,
  pinterestVideo,
  spotifyMusic,
  spotifyCoverArt,
  applePodcastsAudio,
  applePodcastsArtwork,
  acxAudiobook,
  pdfX1a2001,
  pdfX1a2003,
  pdfX32002,
  pdfX32003,
  pdfX4,
  gwg2015MagazineAdsCmyk,
  gwg2015NewspaperAdsCmyk,
  appStoreIphone69,
  appStoreIpad13,
  appStorePreviewIphone,
  googlePlayIcon,
  googlePlayFeatureGraphic,
  googlePlayPhoneScreenshot,
  kdpEbookCover,
]

/** The specifications that come with Greenroom: published ones, a JSON file each. */
export const LIBRARY: readonly Specification[] = DOCUMENTS.map((document) => Specification.parse(document))
