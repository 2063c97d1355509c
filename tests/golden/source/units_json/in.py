def getHTTPResponse2(): pass
