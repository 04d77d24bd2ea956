"""Campaigns: generated scenarios through all chosen adapters, and what is found made small.

Enters: a CampaignRequest. Leaves: the log's lines, in order, as they come; vectors where they are to be saved. One of
the named loops: a scenario that fails is made smaller and sent again, until nothing smaller fails in the same way.
"""

from bindproof.campaign.cluster import campaign_on, client_of
from bindproof.campaign.perform import campaign
from bindproof.campaign.request import CampaignRequest
from bindproof.campaign.stream import Stream

__all__ = ["CampaignRequest", "Stream", "campaign", "campaign_on", "client_of"]
